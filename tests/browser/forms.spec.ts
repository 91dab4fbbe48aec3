import type { Locator, Page } from "playwright/test";
import { expect, test } from "../support/browser-fixtures";
import { openUnhydrated, show } from "../support/pages";
import { pause } from "../support/servers";

const WORDS = "Words that nobody wants to type twice";

test("A form error is shown under its field, which gets the focus", async ({ page }) => {
  await page.goto("/messages?new=1");
  const url = page.getByLabel("URL", { exact: true });
  await url.fill("http://10.0.0.1/");
  await page.getByLabel("Body").fill(WORDS);
  await page.getByRole("button", { name: "Schedule message" }).click();
  await expect(url).toBeFocused();
  await expect(url).toHaveAttribute("aria-invalid", "true");
  await expect(url).toHaveAccessibleDescription(/Private addresses cannot be reached/);
  const words = await boxOf(page, page.getByRole("main").getByRole("alert"));
  const field = await boxOf(page, url);
  expect(words.x).toBe(field.x);
  expect(words.y - (field.y + field.height)).toBeLessThan(16);
  await expect(page.getByLabel("Body")).toHaveValue(WORDS);
});

test("A form whose session ended stays, says so, and can be sent after signing in elsewhere", async ({
  page,
  context,
  db,
  person,
  signInAs,
  own,
}) => {
  const task = await own.create("tasks", { name: "Before" });
  await page.goto(`/tasks/${task.id}?edit=1`);
  await page.getByLabel("Name").fill(WORDS);
  const refused = page.waitForResponse(
    (response) => response.url().includes("/tasks/live") && response.status() === 401,
  );
  await db.query("DELETE FROM sessions WHERE user_id = $1", [person.id]);
  await refused;
  await pause(1000); // a refresh would follow after half a second
  await page.getByRole("button", { name: "Save changes" }).click();
  const alert = page.getByRole("main").getByRole("alert");
  await expect(alert).toContainText("You are signed out, so nothing was changed.");
  await expect(alert.getByRole("link", { name: "Sign in" })).toHaveAttribute("target", "_blank");
  await expect(page.getByLabel("Name")).toHaveValue(WORDS);

  await signInAs(context, person);
  await show(page, "visible"); // back in this tab
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page).toHaveURL(`/tasks/${task.id}`);
  await expect(page.getByRole("heading", { name: WORDS })).toBeVisible();
  await own.update(`tasks/${task.id}`, { name: "Changed elsewhere" });
  await expect(page.getByRole("heading", { name: "Changed elsewhere" })).toBeVisible();
});

test("A form begins with the cursor in its first field, and the back button, a link and the palette ask before losing input", async ({
  page,
}) => {
  const questions: string[] = [];
  let response = false;
  page.on("dialog", async (dialog) => {
    questions.push(dialog.message());
    await (response ? dialog.accept() : dialog.dismiss());
  });
  await page.goto("/inboxes");
  await page.getByRole("link", { name: "New inbox" }).first().click();
  await expect(page.getByLabel("Name")).toBeFocused();
  await page.getByLabel("Name").pressSequentially("Typed");

  // The browser goes nowhere, which Playwright would wait for.
  await page.evaluate(() => window.history.back());
  await expect.poll(() => questions.length).toBe(1);
  await expect(page.getByLabel("Name")).toHaveValue("Typed");

  await page.getByRole("link", { name: "Cancel" }).click();
  await expect.poll(() => questions.length).toBe(2);
  await expect(page.getByLabel("Name")).toHaveValue("Typed");

  await openTasksByPalette(page);
  await expect.poll(() => questions.length).toBe(3);
  await expect(page).toHaveURL("/inboxes?new=1");
  response = true;
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/tasks");
  expect(questions).toHaveLength(4);
});

test("What was typed into a form is there after leaving it, until it is saved or canceled", async ({
  page,
  own,
}) => {
  page.on("dialog", (dialog) => dialog.accept());
  const name = page.getByLabel("Name", { exact: true });
  await page.goto("/tasks?new=1");
  await name.fill(WORDS);
  await page.getByRole("link", { name: "Inboxes" }).click();
  await expect(page).toHaveURL("/inboxes");
  await page.goto("/tasks?new=1");
  await expect(name).toHaveValue(WORDS);
  await page.getByRole("link", { name: "Cancel" }).click();
  await expect(page).toHaveURL("/tasks");
  await page.goto("/tasks?new=1");
  await expect(name).toHaveValue("");
  await name.fill(WORDS);
  await page.getByRole("button", { name: "Create task" }).click();
  await expect(page.getByRole("heading", { name: WORDS })).toBeVisible();
  await page.goto("/tasks?new=1");
  await expect(name).toHaveValue("");

  // An edit's draft is one of this version only.
  const task = await own.create("tasks", { name: "Before" });
  const edit = `/tasks/${task.id}?edit=1`;
  await page.goto(edit);
  await name.fill("Draft");
  await page.goto(edit);
  await expect(name).toHaveValue("Draft");
  await own.update(`tasks/${task.id}`, { name: "Theirs" });
  await page.goto(edit);
  await expect(name).toHaveValue("Theirs");
});

test("What is pressed before the page is hydrated happens afterwards", async ({
  page,
  clipboard,
  endpoint,
}) => {
  const goTo = page.getByRole("button", { name: "Go to…" });
  const hydrate = await openUnhydrated(page, `/webhooks/${endpoint.id}`);
  await page.getByRole("button", { name: "Copy URL" }).click();
  await goTo.click();
  await hydrate(goTo);
  await expect(page.getByRole("combobox", { name: "Page, ID or name" })).toBeFocused();
  expect(await clipboard()).toContain(`/api/catch/${endpoint.id}`);
});

test("The page title names what the page shows", async ({ page, own }) => {
  const task = await own.create("tasks", { name: "Count boxes" });
  await page.goto(`/tasks/${task.id}`);
  await expect(page).toHaveTitle("Count boxes · Agent Infrastructure");
  await page.goto("/tasks/tsk_missing");
  await expect(page).toHaveTitle("Not found · Agent Infrastructure");
});

test("Text cut in the middle of a character hydrates as rendered", async ({ page, api, own }) => {
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  const inbox = await own.create("inboxes", { name: "Jobs" });
  await api("POST", `/api/inboxes/${inbox.id}/events`, {
    raw: `x${"🚀".repeat(100)}`,
  });
  await page.goto(`/inboxes/${inbox.id}`);
  await page.keyboard.press("j");
  await expect(page.getByRole("link", { name: /^x🚀+$/u })).toBeFocused();
  expect(errors).toEqual([]);
});

test("What is typed or selected before the page is hydrated stays", async ({ page, own }) => {
  const content = "# Plan\n\nCount boxes\n";
  const plan = { name: "Plan", format: "markdown", content };
  const artifact = await own.create("artifacts", plan);
  const count = { name: "Count", description: "Count boxes" };
  const task = await own.create("tasks", count);
  for (const [path, label] of [
    [`/artifacts/${artifact.id}?edit=1`, "Content"],
    [`/tasks/${task.id}?edit=1`, "Description"],
  ] as const) {
    const field = page.getByLabel(label, { exact: true });
    const hydrate = await openUnhydrated(page, path);
    await field.focus();
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("Count bags\nand boxes");
    await page.keyboard.press("Home");
    await hydrate(field);
    await page.keyboard.type("some ");
    await expect(field).toHaveValue("Count bags\nsome and boxes");

    await page.evaluate(() => sessionStorage.clear()); // the draft
    const hydrateAgain = await openUnhydrated(page, path);
    await field.focus();
    await page.keyboard.press("ControlOrMeta+a");
    await hydrateAgain(field);
    await page.keyboard.type("Count bags");
    await expect(field).toHaveValue("Count bags");
  }
});

async function openTasksByPalette(page: Page) {
  await page.keyboard.press("ControlOrMeta+k");
  await page.getByRole("combobox", { name: "Page, ID or name" }).fill("Tasks");
  await expect(page.getByRole("option", { name: "Tasks" })).toBeVisible();
  await page.keyboard.press("Enter");
}

async function boxOf(page: Page, locator: Locator) {
  await expect(locator).toBeVisible();
  const box = await locator.boundingBox();
  if (!box) throw new Error(`Nothing is shown of it on ${page.url()}.`);
  return box;
}

test("A form without a response says so, keeps its input, and can be sent again", async ({
  page,
  context,
  own,
}) => {
  await page.goto("/inboxes?new=1");
  await page.getByLabel("Name").fill("Typed with care");
  await context.setOffline(true);
  await page.getByRole("button", { name: "Create inbox" }).click();
  await expect(page.getByRole("main").getByRole("alert")).toContainText("did not respond");
  await expect(page.getByLabel("Name")).toHaveValue("Typed with care");
  await context.setOffline(false);
  await page.getByRole("button", { name: "Create inbox" }).click();
  await expect(page).toHaveURL(/\/inboxes\/inbox_/);
  const body = await own.read("inboxes");
  expect(body.data.map(({ name }: { name: string }) => name)).toEqual(["Typed with care"]);
});
