import { expect, test } from "../support/browser-fixtures";
import { leaseClient } from "../support/leases";
import { signInWithKey } from "../support/pages";

const HOSTILE = `"><img src=x onerror="document.title='taken'">\u202e`;

test("List, board and task show the holder and the time left", async ({ page, api, key }) => {
  const { task, take } = leaseClient(api, key);
  const { id } = await task({ name: "Held one" });
  await task({ name: "Free one" });
  await take(id, { holder: "planner-3", lease_seconds: 299 });
  for (const path of ["/tasks", "/tasks?view=board", `/tasks/${id}`]) {
    await page.goto(path);
    await expect(page.getByRole("main")).toContainText("held by planner-3, 4 min left");
    // An open task says it, and its row in the list beside it.
    const times = path === `/tasks/${id}` ? 2 : 1;
    await expect(page.locator("time[data-format=left]:visible")).toHaveCount(times);
  }
  await take((await task({ name: "Soon free" })).id, { holder: "planner-4", lease_seconds: 30 });
  await page.goto("/tasks");
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
  await page.goto(`/tasks/${id}`);
  await release(id, first.lease_id);
  const second = await take(id, { holder: "planner-4" });
  await page.getByRole("button", { name: "Release the lease" }).click();
  const dialog = page.getByRole("alertdialog", { name: "Release the lease?" });
  await dialog.getByRole("button", { name: "Release the lease" }).click();
  await expect(dialog.getByRole("alert")).toContainText(`held by "planner-4"`);
  expect(JSON.parse((await held(id)).text).lease_id).toBe(second.lease_id);
});

test("A read-only key's session sees a lease but cannot release it", async ({
  visitor: page,
  api,
  organization: { key, readKey },
}) => {
  const { task, take } = leaseClient(api, key);
  const { id } = await task();
  await take(id, { holder: "planner-3" });
  await signInWithKey(page, readKey);
  await page.goto(`/tasks/${id}`);
  await expect(page.getByRole("region", { name: "Lease" })).toContainText("held by planner-3");
  await expect(page.getByRole("button", { name: "Release the lease" })).toHaveCount(0);
});

test("A hostile holder and description are shown as text", async ({ page, api, key }) => {
  const { task, take } = leaseClient(api, key);
  const description = `First line\n  second line ${HOSTILE}\njavascript:alert(1) https://example.com/a?b=1.`;
  const { id } = await task({ description });
  await take(id, { holder: HOSTILE.padEnd(200, "W") });
  for (const path of ["/tasks", "/tasks?view=board", `/tasks/${id}`]) {
    await page.goto(path);
    await expect(page.getByRole("main")).toContainText(`held by ${HOSTILE.slice(0, 20)}`);
    expect(await page.title()).not.toBe("taken");
    expect(await page.locator("img").count()).toBe(0);
    for (const width of [320, 1440]) {
      await page.setViewportSize({ width, height: 800 });
      const overflow = () =>
        page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(await overflow(), `${path} at ${width}`).toBeLessThanOrEqual(0);
    }
  }
  const shown = page.getByRole("region", { name: "Description" });
  expect(await shown.innerText()).toMatch(
    /First line\n\s*second line ">.*\n\s*javascript:alert\(1\)/,
  );
  const links = await shown.getByRole("link").all();
  const addresses = await Promise.all(links.map((link) => link.getAttribute("href")));
  // A picture without an address is text, and no text is a script.
  expect(addresses).toEqual(["https://example.com/a?b=1"]);
});
