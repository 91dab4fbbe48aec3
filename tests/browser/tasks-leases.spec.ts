import { expect, HOSTILE_TURNED, test } from "../support/browser-fixtures";
import { leaseClient } from "../support/leases";

test("List, board and task show the holder as text, and the time left", async ({
  page,
  api,
  key,
}) => {
  const { task, take } = leaseClient(api, key);
  const { id } = await task({ name: "Held one" });
  await task({ name: "Free one" });
  await take(id, { holder: HOSTILE_TURNED.padEnd(200, "W"), lease_seconds: 299 });
  const visit = async (path: string) => {
    await page.goto(path);
    await expect(page.getByRole("main")).toContainText(`held by ${HOSTILE_TURNED.slice(0, 20)}`);
    await expect(page.getByRole("main")).toContainText("4 min left");
    expect(await page.title()).not.toBe("taken");
    expect(await page.locator("img").count()).toBe(0);
  };
  await visit("/tasks?view=board");
  await visit(`/tasks/${id}`);
  await take((await task({ name: "Soon free" })).id, { holder: "planner-4", lease_seconds: 59 });
  await visit("/tasks");
  const row = page.getByRole("row").filter({ hasText: "Soon free" });
  const time = row.locator("time[data-format=left]:visible");
  await expect(time).toHaveText(/^\d+ s left$/);
  const before = await time.textContent();
  await expect(time).not.toHaveText(before ?? "");
  await expect(time).toHaveText(/^\d+ s left$/);
});

test("A person can release a lease after a confirmation, and the next worker gets the task", async ({
  page,
  api,
  key,
}) => {
  const { task, take, held, next, tryTake } = leaseClient(api, key);
  const { id } = await task();
  const lease = await take(id, { holder: "planner-3" });
  await page.goto(`/tasks/${id}`);
  await page.getByRole("button", { name: "Release the lease" }).click();
  const dialog = page.getByRole("alertdialog", { name: "Release the lease?" });
  await dialog.getByRole("button", { name: "Cancel" }).click();
  expect((await held(id)).status).toBe(200);
  await page.getByRole("button", { name: "Release the lease" }).click();
  await dialog.getByRole("button", { name: "Release the lease" }).click();
  await expect(page.getByText("held by")).toHaveCount(0);
  expect((await held(id)).status).toBe(404);
  expect((await next({ holder: "planner-4" })).lease).toMatchObject({
    task_id: id,
    fencing_token: lease.fencing_token + 1,
  });
  const renewal = await tryTake(id, { holder: "planner-3", lease_id: lease.lease_id });
  expect(renewal.status).toBe(409);
});

test("A page with an outdated lease cannot release the current one", async ({ page, api, key }) => {
  const { task, take, release, held } = leaseClient(api, key);
  const { id } = await task();
  const first = await take(id, { holder: "planner-3" });
  // Unanswered polls tell the page nothing.
  await page.route(/\/live(\?|$)/, () => {});
  await page.goto(`/tasks/${id}`);
  await release(id, first.lease_id);
  const second = await take(id, { holder: "planner-4" });
  await page.getByRole("button", { name: "Release the lease" }).click();
  const dialog = page.getByRole("alertdialog", { name: "Release the lease?" });
  await dialog.getByRole("button", { name: "Release the lease" }).click();
  await expect(dialog.getByRole("alert")).toContainText(`held by "planner-4"`);
  expect(JSON.parse((await held(id)).text).lease_id).toBe(second.lease_id);
});
