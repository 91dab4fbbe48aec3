import { expect, test } from "../support/browser-fixtures";
import { jsonOf } from "../support/http";

test("Subscriptions are made and deleted in the settings", async ({ page, api, key, own }) => {
  const inbox = await own.create("inboxes", { name: "I" });
  await page.goto("/settings?tab=developers");
  const section = page.getByRole("region", { name: "Subscriptions" });
  await section.getByLabel("URL or inbox ID").fill("no URL");
  await section.getByRole("button", { name: "Subscribe" }).click();
  await expect(section.getByRole("alert")).toContainText("must be an absolute");
  await section.getByLabel("URL or inbox ID").fill(inbox.id);
  await section.getByLabel("Tasks").check();
  await section.getByRole("button", { name: "Subscribe" }).click();
  await expect(section.getByRole("listitem")).toContainText("tasks");
  const shown = await api("GET", "/api/subscriptions", { key });
  expect(jsonOf<{ data: object[] }>(shown).data).toMatchObject([
    { inbox_id: inbox.id, kinds: ["tasks"], actions: null },
  ]);
  await section.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Delete subscription" }).click();
  await expect(section.getByRole("listitem")).toHaveCount(0);
});
