import { expect, test } from "../support/browser-fixtures";
import { textOf } from "../support/forms";

/** The row above every list, and what its search takes. */

test("The first row of a list is in sight below one row of tools, at any width", async ({
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
      await page.setViewportSize({ width, height: 812 });
      const row = page.locator("[data-row]").first();
      const y = await row.evaluate((one) => one.closest("tr, li")?.getBoundingClientRect().top);
      expect(y, `${path} at ${width} px`).toBeLessThanOrEqual(top);
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
