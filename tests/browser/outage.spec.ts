import type { Page } from "playwright/test";
import { test as base, expect } from "../support/browser-fixtures";
import { startTcpProxy } from "../support/tcp-proxy";
import { stretchTimers } from "../support/timers";

type Proxy = Awaited<ReturnType<typeof startTcpProxy>>;

/** `cut` is the death of the server as a browser sees it, `mend` its return. */
const test = base.extend<{ line: Proxy & { origin: string } }>({
  line: async ({ baseUrl, context, person: _person }, use) => {
    const proxy = await startTcpProxy(baseUrl);
    const [session] = await context.cookies(baseUrl);
    if (!session) throw new Error("Nobody is signed in.");
    await use({ ...proxy, origin: new URL(proxy.url).origin });
    await proxy.close();
  },
});

const live = (page: Page) => page.getByText("Live", { exact: true });

test("A click offline or while the server is dead keeps the page, says so, and is followed when it is back", async ({
  page,
  context,
  line,
}) => {
  const back = "The page will open once it is back.";
  const follow = (name: string) =>
    page.getByRole("navigation").getByRole("link", { name, exact: true }).click();
  await page.goto(`${line.origin}/inboxes`);
  await expect(live(page)).toBeVisible();
  await context.setOffline(true);
  await expect(live(page)).toHaveCount(0);
  await follow("Tasks");
  await expect(page.getByText(`You are offline. ${back}`)).toBeVisible();
  await expect(page.getByRole("heading", { name: "Inboxes", exact: true })).toBeVisible();
  await context.setOffline(false);
  await expect(page).toHaveURL(/\/tasks$/);
  await expect(live(page)).toBeVisible();
  await expect(page.getByText(/it is back|stays as it is/)).toHaveCount(0);

  line.cut();
  await expect(live(page)).toHaveCount(0);
  await follow("Messages");
  await expect(page.getByText(`The server is not responding. ${back}`)).toBeVisible();
  await expect(page.getByRole("heading", { name: "Tasks", exact: true })).toBeVisible();
  line.mend();
  await expect(page).toHaveURL(/\/messages$/);
  // A plain link, which the browser itself follows.
  line.cut();
  await page.getByRole("link", { name: "Documentation" }).first().click();
  await expect(page.getByText(`The server is not responding. ${back}`)).toBeVisible();
  line.mend();
  await expect(page).toHaveURL(/\/docs/);
});

test("A search survives a broken connection, and keeps the page", async ({ page, line, own }) => {
  for (const name of ["Orders", "Payments"]) {
    await own.create("inboxes", { name });
  }
  await page.goto(`${line.origin}/inboxes`);
  await expect(live(page)).toBeVisible();
  await page.evaluate(() => document.body.setAttribute("data-same", ""));
  const search = page.getByRole("searchbox");
  await search.fill("pay");
  line.freeze();
  await search.press("Enter");
  await expect(page.locator(".animate-pulse.fixed")).toBeVisible();
  line.cut();
  await expect(
    page.getByText("The server is not responding. The page will open once it is back."),
  ).toBeVisible();
  line.thaw();
  line.mend();
  await expect(page.locator("[data-row]")).toHaveText([/Payments/]);
  await expect(page).toHaveURL(/\?q=pay$/);
  await expect(search).toHaveValue("pay");
  await expect(page.locator("body")).toHaveAttribute("data-same", "");
  await page.goBack();
  await expect(page.locator("[data-row]")).toHaveCount(2);
  await expect(search).toHaveValue("");
});

test("While the server is down no list claims to be live, and afterwards or after it was busy it continues where it was", async ({
  page,
  line,
  endpoint,
  own,
}) => {
  await page.goto(`${line.origin}/webhooks/${endpoint.id}`);
  await expect(live(page)).toBeVisible();
  line.cut();
  await expect(page.getByText("No connection", { exact: true })).toBeVisible();
  await expect(live(page)).toHaveCount(0);
  await endpoint.capture({ body: { order: "meanwhile" } });
  line.mend();
  await expect(page.locator("[data-row]")).toContainText("meanwhile");
  await expect(live(page)).toBeVisible();

  await page.getByRole("navigation").getByRole("link", { name: "Tasks" }).click();
  await expect(page).toHaveURL(/\/tasks$/);
  await page.evaluate(() => document.body.setAttribute("data-same", ""));
  await page.route("**/tasks?_rsc=*", (route) => route.fulfill({ status: 429 }), { times: 1 });
  await own.create("tasks", { name: "Meanwhile" });
  await expect(page.locator("[data-row]")).toContainText("Meanwhile");
  await expect(page.locator("body")).toHaveAttribute("data-same", "");
});

test("A change of tasks that fails while the server is down announces nothing, and a failed undo can be repeated", async ({
  page,
  line,
  own,
}) => {
  const { id } = await own.create("tasks", { name: "A task" });
  await stretchTimers(page, 5000); // for which a toast is shown
  await page.goto(`${line.origin}/tasks`);
  await expect(live(page)).toBeVisible();
  await loadToasts(page);
  await page.getByRole("checkbox", { name: "Select A task" }).check();
  const bar = page.getByRole("region", { name: "Selected tasks" });
  const choose = async (priority: string) => {
    await bar.getByRole("button", { name: "Priority" }).click();
    await page.getByRole("option", { name: priority }).click();
  };
  await choose("high");
  await expect(bar).toContainText("1 task: High.");
  line.cut();
  const undo = bar.getByRole("button", { name: "Undo" });
  const failure = page.getByText("The server did not respond. Try again.");
  for (const act of [() => choose("critical"), () => undo.click()]) {
    await act();
    await expect(failure).toBeVisible();
    await expect(page.getByText("Nothing to change")).toHaveCount(0);
    await expect(bar).toContainText("1 task: High.");
    await failure.locator("..").getByLabel("Close").click();
    await expect(failure).toHaveCount(0);
  }
  line.mend();
  await undo.click();
  await expect(bar).toContainText("Undone.");
  expect((await own.read(`tasks/${id}`)).priority).toBe("low");
});

test("A page that fails says so beside the navigation, and is shown once it can be", async ({
  page,
  own,
  db,
}) => {
  const { id } = await own.create("schedules", {
    name: "A schedule",
    cron: "0 0 1 1 *",
    target: { task: { name: "A task" } },
  });
  const moveTo = (zone: string) =>
    db.query("UPDATE schedules SET timezone = $2 WHERE id = $1", [id, zone]);
  await page.goto("/inboxes");
  // As after an update of Node.js that no longer knows the zone.
  await moveTo("Gone/Away");
  await page.getByRole("navigation").getByRole("link", { name: "Schedules" }).click();
  const failure = page.getByRole("heading", { name: "This page cannot be shown right now" });
  await expect(failure).toBeVisible();
  await page.reload();
  await expect(failure).toBeVisible();
  await expect(page.getByRole("navigation").getByRole("link", { name: "Inboxes" })).toBeVisible();
  await moveTo("UTC");
  await page.getByRole("button", { name: "Try again" }).press("Enter");
  await expect(page.getByRole("heading", { name: "Schedules", exact: true })).toBeVisible();
  await expect(failure).toHaveCount(0);
});

test("Signing out or a new theme keeps the page of a dead server", async ({ page, line }) => {
  await page.goto(`${line.origin}/inboxes?new=1`);
  await page.getByLabel("Name").fill("Typed with care");
  await page.getByRole("button", { name: "Account" }).click();
  line.cut();
  for (const name of ["Dark", "Sign out"]) {
    await page.getByRole("navigation").getByRole("button", { name }).click();
    await expect(
      page.getByText("The server is not responding. Showing the last version"),
    ).toBeVisible();
    await expect(page.getByLabel("Name")).toHaveValue("Typed with care");
  }
});

/** Toasts are loaded on demand. */
async function loadToasts(page: Page) {
  await page.evaluate(() =>
    document.dispatchEvent(
      new CustomEvent("notification", { detail: { text: "Ready", isShown: true } }),
    ),
  );
  await expect(page.getByText("Ready", { exact: true })).toBeVisible();
}
