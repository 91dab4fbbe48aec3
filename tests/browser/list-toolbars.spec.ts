import { expect, test } from "../support/browser-fixtures";
import { textOf } from "../support/forms";
import { openMenu, resize } from "../support/pages";

/** The row above every list, and what its search takes. */

test("The first row of a list is in sight below one row of tools, at any width, and so is the chosen filter", async ({
  page,
  own,
  endpoint,
}) => {
  await own.create("tasks", { name: "One" });
  await endpoint.capture();
  for (const path of ["/tasks", `/webhooks/${endpoint.id}`]) {
    await page.goto(path);
    for (const [width, top] of [
      [1440, 160],
      [320, 260],
    ] as const) {
      await resize(page, width);
      const row = page.locator("[data-row]").first();
      const y = await row.evaluate((one) => one.closest("tr, li")?.getBoundingClientRect().top);
      expect(y, `${path} at ${width} px`).toBeLessThanOrEqual(top);
    }
  }
  await page.goto("/messages?status=failed");
  const chosen = page.getByRole("link", { name: /^failed/ });
  await expect(chosen).toBeInViewport({ ratio: 1 });
});

test("On a phone the settings of an endpoint or inbox open without scrolling past its events", async ({
  page,
  endpoint,
  inbox,
}) => {
  await endpoint.capture();
  await inbox.ingest();
  await page.setViewportSize({ width: 320, height: 812 });
  for (const [path, title] of [
    [`/webhooks/${endpoint.id}`, "About this endpoint"],
    [`/inboxes/${inbox.id}`, "About this inbox"],
  ] as const) {
    await page.goto(path);
    await openMenu(page, "List actions");
    await page.getByRole("main").getByRole("link", { name: "Settings" }).click();
    await expect(page.getByRole("heading", { name: title })).toBeFocused();
    await expect(page.locator("[data-row]")).toBeHidden();
    await page.getByRole("link", { name: "Close, back to the list" }).click();
    await expect(page.locator("[data-row]")).toBeVisible();
    await expect(page).toHaveURL(path);
  }
});

test("A search takes filters as words, shows them as chips, and a click takes one away", async ({
  page,
  own,
  endpoint,
}) => {
  await endpoint.capture({ raw: "apple", headers: { "x-id": "7" } });
  await endpoint.capture({ raw: "apple", headers: { "x-id": "8" } });
  await endpoint.capture({ raw: "pear", headers: { "x-id": "7" } });
  await page.goto(`/webhooks/${endpoint.id}`);
  const rows = page.locator("[data-row]");
  await page.getByLabel("Search events").fill("method:post header:x-id=7 apple");
  await page.keyboard.press("Enter");
  await expect(rows).toHaveText(["apple"]);
  await expect(page.getByLabel("Search events")).toHaveValue("apple");
  await page.getByRole("link", { name: "header: x-id: 7, remove this filter" }).click();
  await expect(rows).toHaveCount(2);
  await expect(page).toHaveURL(`/webhooks/${endpoint.id}?method=POST&q=apple`);

  await own.create("tasks", { name: "Write", priority: "high", labels: ["to do"] });
  await own.create("tasks", { name: "Write again", labels: ["to do"] });
  await page.goto("/tasks");
  await page.getByLabel("Search tasks").fill('label:"to do" priority:high write');
  await page.keyboard.press("Enter");
  await expect(rows).toHaveText(["Write"]);
  await page.getByRole("link", { name: "priority: high, remove this filter" }).click();
  await expect(rows).toHaveCount(2);

  for (const query of ["q=status:failed", "replay=wrp_0"]) {
    const none = await page.request.get(`/messages?${query}`);
    expect(textOf(await none.text()), query).toMatch(/No matching messages ?\./);
  }
});

test("Every list leaves out a filter with an unknown value, and says so and which values there are", async ({
  page,
  own,
  inbox,
}) => {
  await own.create("tasks", { name: "Shown anyway", labels: ["done"] });
  await inbox.ingest({ body: "Shown anyway" });
  const read = async (path: string) => textOf(await (await page.request.get(path)).text());
  for (const [path, filter, allowed] of [
    ["/tasks?progress=opne", "progress=opne", "todo, in-progress, done or open."],
    ["/tasks?status=opne", "status=opne", "todo, in-progress, done or open."],
    ["/tasks?q=priority:hgih", "priority=hgih", "low, medium, high or critical."],
    [`/inboxes/${inbox.id}?q=state:x`, "state=x", "ready, delayed, leased or dead."],
    ["/messages?status=x", "status=x", "scheduled, delivering, retrying, "],
    ["/questions?state=x", "state=x", "open, answered, expired or withdrawn."],
    ["/keys?tab=log&about=x", "about=x", ""],
  ] as const) {
    const words = `The filter ${filter} has an unknown value and was left out. It can be ${allowed}`;
    const shown = await read(path);
    expect(shown, path).toContain(words);
    if (/tasks|inboxes/.test(path)) expect(shown, path).toContain("Shown anyway");
  }
  for (const path of ["/tasks?status=done", "/messages?status=failed", "/tasks?progress="]) {
    expect(await read(path), path).not.toContain("unknown value");
  }
});
