import { expect, test } from "../support/browser-fixtures";
import { makeSchedule } from "../support/schedules";

/** The row above every list, and what its search takes. */

test("The first row of every list is in sight below one row of tools, at any width", async ({
  page,
  api,
  key,
  own,
  endpoint,
  inbox,
}) => {
  await own.create("tasks", { name: "One" });
  await own.create("artifacts", { name: "One", content: "# One" });
  await own.create("messages", { url: "https://example.com/", delay_seconds: 3600 });
  await own.create("questions", { prompt: "One?", kind: "approve" });
  await makeSchedule(api, key, { name: "One", every_seconds: 3600 });
  await endpoint.capture({ body: { order: 1 } });
  await inbox.ingest({ body: { job: 1 } });
  const lists = ["tasks", "tasks?view=board", "artifacts", "messages", "questions", "schedules"];
  const paths = [...lists, "webhooks", `webhooks/${endpoint.id}`, "inboxes", `inboxes/${inbox.id}`];
  for (const path of paths) {
    await page.goto(`/${path}`);
    for (const [width, top] of [
      [1440, 160],
      [768, 160],
      [320, 260],
    ] as const) {
      await page.setViewportSize({ width, height: 812 });
      const y = await page
        .locator("[data-row]")
        .first()
        .evaluate((row) => row.closest("tr, li")?.getBoundingClientRect().top);
      expect(y, `${path} at ${width} px`).toBeLessThanOrEqual(top);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    }
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
  // An opened event keeps the filters of its list.
  await rows.click();
  await expect(page).toHaveURL(/\/events\/wev_.*header=x-id/);
  await page.goBack();
  await expect(page).toHaveURL(/\/webhooks\/wh_\w+\?/);
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

  await page.goto("/messages?q=status:failed");
  await expect(page.getByText("No matching messages.")).toBeVisible();
});
