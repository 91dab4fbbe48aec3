import { expect, test } from "../support/browser-fixtures";
import { jsonOf } from "../support/inboxes";

test("The overview shows the newest changes, and later ones appear by themselves", async ({
  page,
  api,
  key,
}) => {
  const { body: task } = await api("POST", "/api/tasks", { key, body: { name: "One" } });
  await page.goto("/dashboard");
  const feed = page.getByRole("region", { name: "Changes" });
  await expect(feed.getByRole("listitem")).toHaveCount(1);
  await expect(feed.getByRole("link", { name: task.id })).toHaveAttribute(
    "href",
    `/tasks/${task.id}`,
  );
  await api("POST", `/api/tasks/${task.id}/complete`, { key });
  await expect(feed.getByRole("listitem").first()).toContainText("task completed");
  await expect(feed.getByRole("listitem")).toHaveCount(2);
});

test("Subscriptions are made and deleted in the settings", async ({ page, api, key }) => {
  const { body: inbox } = await api("POST", "/api/inboxes", { key, body: { name: "I" } });
  await page.goto("/settings");
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
