import type { Page } from "playwright/test";
import { expect, test } from "../support/browser-fixtures";
import { openUnhydrated, show } from "../support/pages";
import { pause } from "../support/servers";

const WORDS = "Words that nobody wants to type twice";

test("A form error describes its field, which gets the focus", async ({ page }) => {
  await page.goto("/messages?new=1");
  const url = page.getByLabel("URL", { exact: true });
  await url.fill("http://10.0.0.1/");
  await page.getByLabel("Body").fill(WORDS);
  await page.getByRole("button", { name: "Schedule message" }).click();
  await expect(url).toBeFocused();
  await expect(url).toHaveAttribute("aria-invalid", "true");
  await expect(url).toHaveAccessibleDescription(/Private addresses cannot be reached/);
  await expect(page.getByLabel("Body")).toHaveValue(WORDS);
});

test("A form that is sent again sends only what was typed, and not its earlier result", async ({
  page,
}) => {
  await page.goto("/messages?new=1");
  await page.getByLabel("URL", { exact: true }).fill("http://10.0.0.1/");
  const send = page.getByRole("button", { name: "Schedule message" });
  await send.click();
  await expect(page.getByRole("main").getByRole("alert")).toBeVisible();
  const request = page.waitForRequest((one) => one.method() === "POST");
  await send.click();
  expect((await request).postData()).toContain('[null,"$K1"]');
});

test("A form error names its field unless it is shown below it", async ({ page, openBrowser }) => {
  const plain = await openBrowser({ javaScriptEnabled: false });
  for (const one of [page, plain]) {
    await one.goto("/tasks?new=1");
    await one.getByLabel("Name", { exact: true }).fill("x".repeat(201));
    await one.getByRole("button", { name: "Create task" }).click();
  }
  const words = "have 1 to 200 characters; it has 201.";
  const name = page.getByLabel("Name", { exact: true });
  await expect(name).toHaveAccessibleDescription(`Must ${words}`);
  await expect(plain.getByRole("main").getByRole("alert")).toContainText(`Name must ${words}`);
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
  await expect(alert).toContainText("You are signed out. Sign in, then try again.");
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

test("What was typed into a form is there after leaving it, even while it is sent, until it is saved or canceled", async ({
  page,
  own,
}) => {
  let asked = 0;
  page.on("dialog", (dialog) => {
    asked += 1;
    return dialog.accept();
  });
  const name = page.getByLabel("Name", { exact: true });
  await page.goto("/tasks?new=1");
  await name.fill(WORDS);
  await page.getByRole("link", { name: "Inboxes" }).click();
  await expect(page).toHaveURL("/inboxes");
  await page.goto("/tasks?new=1");
  await expect(name).toHaveValue(WORDS);
  await page.getByRole("link", { name: "Cancel" }).click();
  await expect(page).toHaveURL("/tasks");
  await page.getByRole("link", { name: "New task" }).first().click();
  await expect(name).toHaveValue("");
  await name.fill(WORDS);
  await page.getByRole("button", { name: "Create task" }).click();
  await expect(page.getByRole("heading", { name: WORDS })).toBeVisible();
  await page.goto("/tasks?new=1");
  await expect(name).toHaveValue("");
  await name.fill(WORDS);
  await page.route("**/tasks?new=1", (route) =>
    route.request().method() === "POST" ? undefined : route.continue(),
  );
  await page.getByRole("button", { name: "Create task" }).click();
  await expect(page.locator("form[aria-busy=true]")).toHaveCount(1);
  asked = 0;
  await page.reload();
  expect(asked).toBe(1);
  await expect(name).toHaveValue(WORDS);

  // An edit's draft is one of this version only.
  const task = await own.create("tasks", { name: "Before", labels: ["a, b", "c"] });
  const edit = `/tasks/${task.id}?edit=1`;
  const labels = page.getByRole("button", { name: /^Remove / });
  await page.goto(edit);
  await name.fill("Draft");
  await page.getByRole("button", { name: "Remove c" }).click();
  await page.goto(edit);
  await expect(name).toHaveValue("Draft");
  await expect(labels).toHaveCount(1);
  await expect(labels).toHaveAccessibleName("Remove a, b");
  await labels.click();
  await page.goto(edit);
  await expect(name).toHaveValue("Draft");
  await expect(labels).toHaveCount(0);
  await own.update(`tasks/${task.id}`, { name: "Theirs" });
  await page.goto(edit);
  await expect(name).toHaveValue("Theirs");
  // It does not move to a newer one that the page shows around the form.
  await name.fill("Draft");
  await own.update(`tasks/${task.id}`, { name: "Theirs again" });
  await expect(page.getByRole("heading", { name: "Theirs again" })).toBeVisible();
  await name.fill("Draft again");
  await page.goto(edit);
  await expect(name).toHaveValue("Theirs again");
});

test("Buttons pressed before the page is hydrated act afterwards", async ({
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
  await expect.poll(clipboard).toContain(`/api/catch/${endpoint.id}`);
});

test("What is typed or selected before the page is hydrated stays", async ({ page, own }) => {
  const plan = { name: "Plan", content: "# Plan\n\nCount boxes\n" };
  const artifact = await own.create("artifacts", plan);
  const count = { name: "Count", description: "Count boxes" };
  const task = await own.create("tasks", count);
  const content = page.getByLabel("Content", { exact: true });
  const hydrateContent = await openUnhydrated(page, `/artifacts/${artifact.id}?edit=1`);
  await content.focus();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("Count bags\nand boxes");
  await page.keyboard.press("Home");
  await hydrateContent(content);
  await page.keyboard.type("some ");
  await expect(content).toHaveValue("Count bags\nsome and boxes");

  const description = page.getByLabel("Description", { exact: true });
  const hydrateDescription = await openUnhydrated(page, `/tasks/${task.id}?edit=1`);
  await description.focus();
  await page.keyboard.press("ControlOrMeta+a");
  await hydrateDescription(description);
  await page.keyboard.type("Count bags");
  await expect(description).toHaveValue("Count bags");
});

async function openTasksByPalette(page: Page) {
  await page.keyboard.press("ControlOrMeta+k");
  await page.getByRole("combobox", { name: "Page, ID or name" }).fill("Tasks");
  await expect(page.getByRole("option", { name: "Tasks" })).toBeVisible();
  await page.keyboard.press("Enter");
}
