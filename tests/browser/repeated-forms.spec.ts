import type { Locator, Page } from "playwright/test";
import { expect, test } from "../support/browser-fixtures";
import { fieldsOf, post } from "../support/forms";
import { openSession } from "../support/people";
import { ask } from "../support/questions";

/** Buttons that are pressed twice, and forms that are sent again. */

test("A double-click does not press what takes the place of its button", async ({
  page,
  api,
  key,
}) => {
  const asked = [await ask(api, key), await ask(api, key)];
  await page.goto("/dashboard");
  const waiting = page.getByRole("region", { name: "Waiting for a person" });
  const approve = waiting.getByRole("button", { name: /^Approve/ });
  await expect(approve).toHaveCount(2);
  await doubleClick(approve.first(), () => expect(approve).toHaveCount(1));
  await page.reload();
  await expect(approve).toHaveCount(1);
  const read = async ({ path }: { path: string }) => (await api("GET", path, { key })).body.state;
  expect((await Promise.all(asked.map(read))).sort()).toEqual(["answered", "open"]);
});

test("A form sent again after a lost response acts once, and after a success it acts again", async ({
  page,
  own,
}) => {
  const { id } = await own.create("tasks", { name: "One" });
  await page.goto(`/tasks/${id}?tab=notes`);
  const note = page.getByLabel("New note");
  const add = page.getByRole("button", { name: "Add note" });
  const count = async () => (await own.read(`tasks/${id}/notes`)).data.length;
  await note.fill("Once");
  await page.route("**/*", async (route) => {
    const isPost = route.request().method() === "POST";
    if (isPost) await route.fetch();
    await (isPost ? route.abort() : route.continue());
  });
  await add.click();
  await expect(page.getByText("The server did not respond. Try again.").first()).toBeVisible();
  await page.unrouteAll();
  expect(await count()).toBe(1);
  await add.click();
  await expect(note).toHaveValue("");
  expect(await count()).toBe(1);
  await note.fill("Once");
  await add.click();
  await expect.poll(count).toBe(2);
});

test("A form sent twice makes one note, one share link, one run, one test request and one inbox, and with other input another key or invitation", async ({
  person,
  db,
  rows,
  organization,
  baseUrl,
  own,
  endpoint,
}) => {
  const token = await openSession(db, person.id);
  type Typed = Record<string, string>;
  const sendTwice = async (path: string, form: string | RegExp, typed: Typed, other?: Typed) => {
    const { fields, cookie } = await fieldsOf(baseUrl, path, token, form);
    for (const sent of [typed, typed, ...(other ? [{ ...typed, ...other }] : [])]) {
      const headers = { cookie, origin: baseUrl };
      const { status, body } = await post(baseUrl, path, { ...fields, ...sent }, headers);
      expect(status, path).toBeLessThan(400);
      expect(body.includes("is still running"), path).toBe(false);
    }
  };
  const count = async (list: string) => (await own.read(list)).data.length;

  const task = await own.create("tasks", { name: "One" });
  await sendTwice(`/tasks/${task.id}?tab=notes`, "body", { body: "Once" });
  expect(await count(`tasks/${task.id}/notes`)).toBe(1);

  const artifact = await own.create("artifacts", { name: "One", content: "text" });
  await sendTwice(`/artifacts/${artifact.id}`, "expires_in", { expires_in: "" });
  expect(await count(`artifacts/${artifact.id}/shares`)).toBe(1);

  const target = { task: { name: "Made" } };
  const schedule = await own.create("schedules", { every_seconds: 86_400, target });
  await sendTwice(`/schedules/${schedule.id}`, /value="run"/, { act: "run" });
  expect(await count(`schedules/${schedule.id}/runs`)).toBe(1);

  const body = "Once, and at length. ".repeat(100);
  await sendTwice(`/webhooks/${endpoint.id}`, "method", { method: "POST", body });
  expect(await count(`webhooks/${endpoint.id}/events`)).toBe(1);

  await sendTwice(`/webhooks/${endpoint.id}`, "inbox_id", { inbox_id: "new", name: "Once" });
  expect(await count("inboxes")).toBe(1);

  const where = { organization_id: organization.id };
  const keys = await rows.apiKey.count({ where });
  const key = { name: "Once", scopes: "api.read api.write", days: "30" };
  await sendTwice("/keys?new=1", "scopes", key, { scopes: "api.read" });
  expect(await rows.apiKey.count({ where })).toBe(keys + 2);

  const first = { email: "once@example.com", role: "owner" };
  await sendTwice("/settings?tab=members", "email", first, { email: "twice@example.com" });
  expect(await rows.invitation.count({ where })).toBe(2);
});

/** Clicks twice at one point; in between, the page shows what the first click has done. */
async function doubleClick(button: Locator, isDone: () => Promise<void>) {
  const page = button.page();
  const box = await button.boundingBox();
  if (!box) throw new Error("The button is not shown.");
  const point = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  await page.mouse.click(point.x, point.y);
  await isDone();
  await expect.poll(() => isButtonAt(page, point)).toBe(true);
  await page.mouse.down({ clickCount: 2 });
  await page.mouse.up({ clickCount: 2 });
}

function isButtonAt(page: Page, point: { x: number; y: number }): Promise<boolean> {
  return page.evaluate(
    ({ x, y }) => Boolean(document.elementFromPoint(x, y)?.closest("button")),
    point,
  );
}
