import { readFile } from "node:fs/promises";
import { expect, test } from "../support/browser-fixtures";
import { replayEnded } from "../support/bulk-replays";
import { openMenu, show } from "../support/pages";
import { listEvents } from "../support/webhooks";

/** Replays in the dashboard: their history, many at once, and the export of a list. */

test("An event shows its replays with their responses, and offers the targets used before", async ({
  page,
  startTarget,
  endpoint,
}) => {
  const target = await startTarget((response, { path }) => {
    response.writeHead(path === "/broken" ? 500 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify({ path }));
  });
  const first = await endpoint.capture({ body: { order: 1 } });
  const second = await endpoint.capture({ body: { order: 2 } });
  await page.goto(`/webhooks/${endpoint.id}/events/${first}?tab=replays`);
  const field = page.getByLabel("Send it again, byte for byte, to");
  const replays = page.getByRole("list", { name: "Replays" }).getByRole("listitem");
  await expect(field).toHaveValue("");
  for (const path of ["/broken", "/works"]) {
    await field.fill(target.url + path);
    await page.getByRole("button", { name: "Replay", exact: true }).click();
    await expect(replays.first()).toContainText(target.url + path);
    await expect(replays.first().getByLabel("Response", { exact: true })).toContainText(
      `"path":"${path}"`,
    );
  }
  await expect(replays.nth(0)).toContainText("delivered");
  // One attempt: nothing retries behind one's back.
  await expect(replays.nth(1)).toContainText("failed");
  await page.goto(`/webhooks/${endpoint.id}/events/${second}?tab=replays`);
  await expect(field).toHaveValue(`${target.url}/works`);
  const offered = page.locator("datalist option");
  await expect(offered).toHaveCount(2);
  await expect(offered.nth(1)).toHaveAttribute("value", `${target.url}/broken`);
  await expect(replays).toHaveCount(0);
  await field.fill(`${target.url}/broken`);
  await page.getByLabel("Retry if it fails").check();
  await page.getByRole("button", { name: "Replay", exact: true }).click();
  await expect(replays.first()).toContainText("retrying");
  await expect(replays.first()).toContainText("next attempt in");
});

test("All events of a filter are replayed with honest progress, and cancelled, on a phone", async ({
  page,
  api,
  fillEndpoint,
  key,
  startHoldingTarget,
  own,
}) => {
  const target = await startHoldingTarget();
  const id = await fillEndpoint(120);
  await api("PUT", `/api/catch/${id}`, { raw: "not a POST" });
  await page.setViewportSize({ width: 320, height: 800 });
  await page.goto(`/webhooks/${id}?method=POST`);
  await openMenu(page, "List actions");
  await page.getByRole("link", { name: "Replay matching" }).click();
  const pane = page.getByRole("article", { name: "Replay events" });
  await expect(pane).toContainText("All POST events");
  await pane.getByLabel("Send them again to").fill(target.url);
  await pane.getByRole("button", { name: "Replay 120 events" }).click();
  const replay = pane.getByRole("list", { name: "Replays" }).getByRole("listitem");
  const bar = replay.getByRole("progressbar");
  // It asks at once when it becomes visible: these counts last as long as attempts may, 15 s.
  const shows = (counts: string) =>
    expect(async () => {
      await show(page, "visible");
      await expect(replay).toContainText(counts, { timeout: 500 });
    }).toPass();
  await shows("0 of 120 events done: 0 delivered, 50 under way");
  await expect(bar).toHaveAttribute("value", "0");
  await expect.poll(() => target.held.length).toBeGreaterThanOrEqual(3);
  target.release(3);
  await shows("3 of 120 events done: 3 delivered");
  await expect(bar).toHaveAttribute("value", "3");
  await expect(bar).toBeInViewport();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  await replay.getByRole("button", { name: "Cancel" }).click();
  await expect(replay.getByRole("button", { name: "Cancel" })).toHaveCount(0);
  target.open();
  const { data } = await own.read(`webhooks/${id}/replays`);
  const ended = await replayEnded(api, id, data[0]?.id ?? "", key);
  const { searched, delivered, failed, canceled } = ended;
  expect(ended).toMatchObject({ status: "canceled", pending: 0 });
  expect(delivered).toBeGreaterThanOrEqual(3);
  expect(canceled).toBeGreaterThan(0);
  expect(delivered + failed + canceled).toBe(searched);
  await expect(replay).toContainText(`${searched} of 120 events done: ${delivered} delivered`);
  await expect(replay).toContainText(`${canceled} canceled`);
  await expect(bar).toHaveCount(0);
  expect(target.received).toHaveLength(delivered + failed);
});

test("A bulk replay is green only if all arrived, leads to what failed while that is stored, and sends it again", async ({
  page,
  api,
  db,
  startTarget,
  own,
  endpoint,
}) => {
  let isRepaired = false;
  const target = await startTarget((response, { path, body }) => {
    const isRefused = path === "/gone" ? 410 : 500;
    response.writeHead(isRepaired || body.toString() === "good" ? 200 : isRefused).end();
  });
  // Not of the replay: neither listed with it nor sent again.
  const given = { url: `${target.url}/gone`, delay_seconds: 0 };
  const other = await own.create("messages", given);
  await api("POST", "/api/messages/dispatch");
  const otherState = () => own.read(`messages/${other.id}`);
  await expect.poll(async () => (await otherState()).status).toBe("failed");
  for (const raw of ["good", "bad"]) await endpoint.capture({ raw });
  await page.goto(`/webhooks/${endpoint.id}/replays`);
  const pane = page.getByRole("article", { name: "Replay events" });
  await pane.getByLabel("Send them again to").fill(target.url);
  await pane.getByRole("button", { name: "Replay 2 events" }).click();
  const replay = pane.getByRole("list", { name: "Replays" }).getByRole("listitem");
  await expect(replay.locator(".text-failed")).toHaveText("completed, 1 failed");
  await expect(replay).toContainText("2 of 2 events done: 1 delivered, 1 failed");

  await replay.getByRole("link", { name: "Show the 1 that failed" }).click();
  const messages = page.getByRole("table").getByRole("row");
  await expect(messages).toHaveCount(2); // with the head

  isRepaired = true;
  await page.goto(`/webhooks/${endpoint.id}/replays`);
  await replay.getByRole("button", { name: "Retry 1 failed" }).click();
  const said = page.getByRole("status").filter({ has: page.getByLabel("Notifications") });
  await expect(said).toContainText("Retried 1");
  await expect(replay.locator(".text-ok")).toHaveText("completed");
  await expect(replay).toContainText("2 of 2 events done: 2 delivered");
  expect(await otherState()).toMatchObject({ status: "failed", attempts: 1 });

  // As some days later, if one had failed.
  await db.query("DELETE FROM scheduled_messages WHERE replayed_endpoint_id = $1", [endpoint.id]);
  const end =
    "UPDATE webhook_replays SET delivered = 1, failed = $2, skipped = $3 WHERE endpoint_id = $1";
  await db.query(end, [endpoint.id, 1, 0]);
  await page.reload();
  await expect(replay.locator(".text-failed")).toHaveText("completed, 1 failed");
  await expect(replay.getByRole("link")).toHaveCount(0);
  await expect(replay.getByRole("button")).toHaveCount(0);
  await db.query(end, [endpoint.id, 0, 1]);
  await page.reload();
  await expect(replay.locator(".text-waiting")).toHaveText("completed, 1 not sent");
});

test("A list is downloaded as JSON lines, filtered", async ({ page, api, fillEndpoint, key }) => {
  const id = await fillEndpoint(150);
  await api("PUT", `/api/catch/${id}`, { raw: "not a POST" });
  await page.goto(`/webhooks/${id}?method=POST`);
  const downloading = page.waitForEvent("download");
  await openMenu(page, "List actions");
  await page.getByRole("link", { name: "Export" }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe("webhooks-events.jsonl");
  const lines = (await readFile(await download.path(), "utf8")).trimEnd().split("\n");
  expect(lines).toHaveLength(150);
  const { data } = await listEvents(api, id, { method: "POST", limit: 1 }, key);
  expect(JSON.parse(lines[0] ?? "")).toEqual(data[0]);
  // Another organization's list is not found.
  const missing = await page.request.get("/export/webhooks/wh_0/events");
  expect(missing.status()).toBe(404);
});
