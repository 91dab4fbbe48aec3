import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Page } from "playwright/test";
import { kinds } from "@/lib/resources/kinds";
import { expect, test } from "../support/browser-fixtures";
import { expectStatus } from "../support/expectations";
import { textOf } from "../support/forms";
import { shiftsOf, show, watchShifts } from "../support/pages";
import { clockWithRoom } from "../support/windows";

const run = promisify(execFile);

test("Figures and activity appear by themselves, and what is new in the lists waits behind a button", async ({
  page,
  api,
  key,
  own,
  endpoint,
}) => {
  await page.goto("/dashboard");
  await watchShifts(page);
  const activity = page.getByRole("region", { name: "Activity" });
  await expect(figure(page, "Captured")).toHaveText("0");
  await expect(page.getByRole("heading", { name: /^All is well/ })).toBeVisible();
  await endpoint.capture();
  const task = await own.create("tasks", { name: "Came late", due_at: 1 });
  await expect(figure(page, "Captured")).toHaveText("1");
  await expect(activity).toContainText("created the task Came late");
  expect(await shiftsOf(page)).toEqual([]);
  await page.getByRole("button", { name: "Show what is new" }).click();
  await expect(page.getByRole("region", { name: "1 thing needs you" })).toContainText("Came late");
  await expect(page.getByRole("button", { name: "Show what is new" })).toHaveCount(0);
  const link = activity.getByRole("link", { name: "Came late" }).first();
  await expect(link).toHaveAttribute("href", `/tasks/${task.id}`);
  await api("POST", `/api/tasks/${task.id}/complete`, { key });
  await expect(activity.getByRole("listitem").first()).toContainText(
    "completed the task Came late",
  );
});

test("Next has messages, runs of schedules and due tasks in the order of their times; what happened many times in a row is one line, and a deleted resource has its ID", async ({
  page,
  api,
  key,
  own,
}) => {
  const now = Math.floor(Date.now() / 1000);
  await own.create("messages", { url: "https://a.example/first", delay_seconds: 1800 });
  const target = { task: { name: "Made" } };
  await own.create("schedules", {
    name: "Second",
    every_seconds: 86_400,
    starts_at: now + 5400,
    target,
  });
  await own.create("tasks", { name: "Due third", due_at: now + 9000 });
  await own.create("tasks", { name: "Done", due_at: now + 100, labels: ["done"] });
  await own.create("tasks", { name: "Not due" });
  const inbox = await own.create("inboxes", { name: "Jobs" });
  await api("DELETE", `/api/inboxes/${inbox.id}`, { key });
  const rows = page.getByRole("region", { name: "Next" }).getByRole("link");
  await expect(async () => {
    await page.goto("/dashboard");
    const names = ["POST a.example/first", "Second", "Due third"];
    await expect(rows).toHaveText(names, { timeout: 1000 });
  }).toPass();
  const lines = page.getByRole("region", { name: "Activity" }).getByRole("listitem");
  await expect(lines.nth(0)).toContainText(`deleted the inbox ${inbox.id}`);
  await expect(lines.nth(1)).toContainText(`created the inbox ${inbox.id}`);
  await expect(lines.nth(2)).toContainText("created 3 tasks");
  // More than is read.
  const operation = { method: "POST", path: "/api/tasks", body: { name: "One of many" } };
  const operations = Array.from({ length: 61 }, () => operation);
  await api("POST", "/api/batch", { key, body: { operations } });
  await expect(lines.first()).toContainText("created 60 or more tasks");
});

test("An hour's captures count while their endpoint exists", async ({
  context,
  person: _person,
  api,
  key,
  db,
  own,
}) => {
  const make = async (countsByHoursAgo: Record<number, number>) => {
    const { id } = await own.create("webhooks", { name: "One" });
    await db.query(
      `UPDATE endpoint_state SET last_event_micros = unix_now() * 1000000, hourly = ARRAY(
         SELECT coalesce((SELECT (hour << 32) + count
                          FROM unnest($2::bigint[], $3::bigint[]) AS given (ago, count),
                               LATERAL (SELECT unix_now() / 3600 - ago AS hour) AS at
                          WHERE hour % 24 = slot), 0)
         FROM generate_series(0, 23) AS slot)
       WHERE endpoint_id = $1`,
      [id, Object.keys(countsByHoursAgo), Object.values(countsByHoursAgo)],
    );
    return id;
  };
  const captured = async () => {
    const html = await (await context.request.get("/dashboard")).text();
    return />Captured<[\s\S]*?data-figure[^>]*>([^<]*)/.exec(html)?.[1];
  };
  await clockWithRoom(db, 3600);
  await make({ 0: 1, 1: 20, 23: 300 });
  expect(await captured()).toBe("321");
  const second = await make({ 1: 2000, 2: 30_000, 24: 500_000 });
  expect(await captured()).toBe("32,321");
  await api("POST", `/api/catch/${second}`, { body: {} });
  expect(await captured()).toBe("32,322");
  await api("DELETE", `/api/webhooks/${second}`, { key });
  expect(await captured()).toBe("321");
});

test("A hidden tab does not poll, and polls at once when shown again", async ({
  openBrowser,
  api,
  key,
}) => {
  const page = await openBrowser();
  await api("POST", "/api/tasks", { key, body: { name: "One" } });
  await page.clock.install();
  let [asked, answered] = [0, 0];
  const isPoll = (one: { url(): string }) => one.url().endsWith("/dashboard/live");
  page.on("request", (request) => {
    if (isPoll(request)) asked += 1;
  });
  page.on("requestfinished", (request) => {
    if (isPoll(request)) answered += 1;
  });
  await page.goto("/dashboard", { waitUntil: "networkidle" });
  await show(page, "hidden");
  // While a poll is under way, no other begins.
  await expect.poll(() => answered).toBe(asked);
  const before = asked;
  await page.clock.runFor(600_000);
  expect(asked).toBe(before);
  await show(page, "visible");
  await expect.poll(() => asked).toBe(before + 1);
});

test("Each hour of a chart is readable by keyboard, by pointer and in a table", async ({
  page,
  db,
  endpoint,
}) => {
  await clockWithRoom(db, 3600);
  for (let n = 0; n < 3; n += 1) await endpoint.capture();
  await page.goto("/dashboard");
  const chart = page.getByRole("slider", { name: "Captured over time" });
  await chart.focus();
  await expect(chart).toHaveAttribute("aria-valuetext", /^\d\d:00 to \d\d:00 UTC: 3$/);
  await expect(page.locator("p").getByText(/^\d\d:00 to \d\d:00 UTC$/)).toBeVisible();
  await chart.press("ArrowLeft");
  await expect(chart).toHaveAttribute("aria-valuetext", /UTC: 0$/);
  const { width, height } = (await chart.boundingBox()) ?? { width: 0, height: 0 };
  await chart.hover({ position: { x: width - 1, y: height / 2 } });
  await expect(chart).toHaveAttribute("aria-valuetext", /UTC: 3$/);
  await chart.hover({ position: { x: width / 2, y: height / 2 } });
  await expect(chart).toHaveValue("12");
  await chart.hover({ position: { x: 1, y: height / 2 } });
  await expect(chart).toHaveValue("0");
  const table = page.getByRole("table", { name: "Captured, last 24 hours" });
  await expect(table.getByRole("row")).toHaveCount(24);
  await expect(table.getByRole("row").last()).toHaveText(/UTC3$/);
});

test("What needs a person is grouped by cause, and a failing host's messages are retried in place", async ({
  page,
  db,
  organization: { id },
  own,
  inbox,
  startHoldingTarget,
}) => {
  // It holds what is retried.
  const { url: origin } = await startHoldingTarget();
  const fail = async (path: string, isFinal: boolean, secondsAgo = 0) => {
    const url = `${origin}/${path}`;
    const message = await own.create("messages", { url, delay_seconds: 90_000 });
    await db.query(
      `UPDATE scheduled_messages SET status = 'failed', attempts = 1, last_error = 'http_410',
         delivered_at = unix_now() - $3::int, due_at = CASE WHEN $2 THEN NULL ELSE due_at END
       WHERE id = $1`,
      [message.id, isFinal, secondsAgo],
    );
    return message.id;
  };
  await fail("a", true);
  await fail("b", true);
  await fail("c", false);
  const old = await fail("old", true, 2 * 86_400);
  await inbox.ingest();
  await inbox.nack(await inbox.receiveOne(), { dead: true });
  await own.create("tasks", { name: "Late", due_at: 1, priority: "critical" });
  await own.create("tasks", { name: "Later", due_at: 2 });
  await own.create("tasks", { name: "Done", due_at: 1, labels: ["done"] });
  const held = await own.create("tasks", { name: "Dropped", labels: ["in-progress"] });
  await db.query(
    `UPDATE tasks SET lease_id = 'l', lease_holder = 'w', lease_expires_at = 5 WHERE id = $1`,
    [held.id],
  );
  const target = { task: { name: "Made" } };
  const schedule = await own.create("schedules", { name: "Nightly", cron: "0 0 * * *", target });
  await db.query(
    `INSERT INTO schedule_runs (schedule_id, id, scheduled_for, manual, reason)
     VALUES ($1, 'run_1', 6, true, 'inbox_full')`,
    [schedule.id],
  );
  await db.query(
    `INSERT INTO agent_registrations (id, type, requested_credential_type, organization_id, claim_token_expires_at)
     VALUES ('reg_' || $1, 'anonymous', 'api_key', $1, unix_now() + 999)`,
    [id],
  );
  await page.goto("/dashboard");
  const issues = page.getByRole("region", { name: "6 things need you" });
  const rows = issues.getByRole("listitem");
  await expect(rows).toHaveCount(3);
  await issues.getByText("3 more").click();
  await expect(rows).toContainText([
    `Messages failed${origin} 2 failed, 1 will be retried · http_410`,
    /^Dead eventsTest 1 dead, 0 of/,
    "Run failedNightly The inbox was full.",
    "OverdueLate and 1 more task",
    "Lease endedDropped in progress, held by nobody",
    /^Agents1 registered, not yet claimed/,
  ]);
  const overdue = rows.nth(3).getByRole("link");
  await expect(overdue).toHaveAttribute("href", "/tasks?progress=open&sort=due");
  await rows.first().getByRole("button", { name: "Stop 1" }).click();
  await page.getByRole("button", { name: "Stop 1 message" }).click();
  const failed = page.getByRole("listitem").filter({ hasText: `Messages failed${origin}` });
  await expect(failed).toContainText(`${origin} 2 failed · http_410`);
  const { data } = await own.read("messages");
  expect(data.filter(({ status }: { status: string }) => status === "canceled")).toHaveLength(1);
  await failed.getByRole("link").click();
  await expect(page.locator("[data-row]")).toHaveText([`${origin}/b`, `${origin}/a`]);
  await page.goto("/dashboard");
  await failed.getByRole("button", { name: "Retry 2" }).click();
  const said = page.getByRole("status").filter({ has: page.getByLabel("Notifications") });
  await expect(said).toContainText("Retried 2");
  await expect(failed).toHaveCount(0);
  // Not counted, since it failed two days ago.
  const ended = { status: "failed", next_attempt_at: null };
  expect(await own.read(`messages/${old}`)).toMatchObject(ended);

  await db.query(
    `INSERT INTO tasks (id, organization_id, name, due_at)
     SELECT 'tsk_' || right($1, 12) || lpad(n::text, 13, '0'), $1, 'Many', 3 FROM generate_series(1, 1000) AS n`,
    [id],
  );
  await page.goto("/dashboard");
  // It may be under "more": the retried messages fail again once they have been tried.
  const many = page.locator("li", { hasText: "OverdueLate" });
  await expect(many).toContainText("Late and at least 999 more tasks");
});

test("A new organization makes a key, runs each command with it, and sees each thing arrive", async ({
  page,
  db,
  organization: { id },
}) => {
  await page.goto("/dashboard");
  const steps = page.getByRole("main").getByRole("listitem");
  await expect(steps).toHaveCount(kinds.length + 1);
  await page.getByRole("button", { name: /^Create a(nother)? key$/ }).click();
  await expect(steps.first().locator("code")).toHaveText(/^export API_KEY=svc_live_\w+$/);
  await expect(steps.first().locator(":focus")).toContainText("Copy key");
  const { rows: keys } = await db.query(
    `SELECT round((expires_at - created_at) / 86400.0)::int AS days FROM api_keys
     WHERE organization_id = $1 AND name = 'First steps'`,
    [id],
  );
  expect(keys).toEqual([{ days: 90 }]);
  for (const index of kinds.keys()) {
    const step = steps.nth(index + 1);
    await expect(step).not.toContainText("(done)");
    const command = (await step.locator("code").textContent()) ?? "";
    const { stdout } = await run("sh", ["-c", `${command} --silent`]);
    expect(JSON.parse(stdout), command).toMatchObject({ organization_id: expect.any(String) });
  }
  for (const [index, { name }] of kinds.entries()) {
    await expect(steps.nth(index + 1), name).toContainText("(done)");
  }
  await expect(page.getByRole("status").filter({ hasText: " of " })).toHaveText(
    `${kinds.length + 1} of ${kinds.length + 1}`,
  );
  await page.reload();
  await expect(page.getByRole("region", { name: "Map" })).toBeVisible();
  await expect(page.getByRole("link", { name: /^First steps/ })).toHaveCount(0);
});

test("Deliveries and latencies are counted for a day, a week and a month, and by what sent them where", async ({
  page,
  api,
  db,
  own,
  startTarget,
}) => {
  await clockWithRoom(db, 3600);
  const target = await startTarget((response, { path }) => {
    response.writeHead(path === "/gone" ? 410 : 200).end();
  });
  for (const path of ["/a", "/b", "/c", "/gone"]) {
    await own.create("messages", { url: target.url + path, delay_seconds: 0 });
  }
  const states = async () => {
    // It may wait for the targets of other tests.
    void api("POST", "/api/messages/dispatch").catch(() => undefined);
    return (await own.read("messages")).data.map(({ status }) => status).sort();
  };
  await expect.poll(states).toEqual(["delivered", "delivered", "delivered", "failed"]);
  await page.goto("/dashboard");
  await expect(chart(page, "Delivered")).toContainText("of 4 attempts, 1 failed");
  await expect(figure(page, "Delivered")).toHaveText("75%");
  await expect(figure(page, "Latency")).toHaveText(/^\d.* m?s$/);
  const host = new URL(target.url).host;
  const map = page.getByRole("region", { name: "Map" });
  await expect(map.getByRole("listitem").filter({ hasText: "Messages" })).toContainText(
    `4 to http://${host} (1 failed)`,
  );
  for (const [name, title, bars] of [
    ["7 d", "7 days", 28],
    ["30 d", "30 days", 30],
  ] as const) {
    await page.getByRole("link", { name, exact: true }).click();
    await expect(page.getByRole("heading", { name: `Last ${title}` })).toBeVisible();
    await expect(figure(page, "Delivered")).toHaveText("75%");
    const table = page.getByRole("table", { name: `Delivered, last ${title}` });
    await expect(table.getByRole("row")).toHaveCount(bars);
    await expect(table.getByRole("row").last()).toHaveText(/75% of 4, 1 failed$/);
  }
});

test("The map shows what an endpoint forwards, and groups what is too much to see", async ({
  page,
  api,
  key,
  db,
  organization: { id },
  endpoint,
  inbox,
}) => {
  await api("PUT", `/api/webhooks/${endpoint.id}/forward`, { key, body: { inbox_id: inbox.id } });
  await endpoint.capture();
  await db.query(
    `INSERT INTO webhook_endpoints (id, organization_id, name)
     SELECT 'wh_' || right($1, 8) || n, $1, 'Many' FROM generate_series(1000, 1499) AS n`,
    [id],
  );
  await page.goto("/dashboard");
  const map = page.getByRole("region", { name: "Map" });
  const from = map.getByRole("list", { name: "From" }).getByRole("listitem");
  await expect(from).toHaveCount(8);
  await expect(from.filter({ hasText: " more" })).toHaveCount(1);
  const forwarding = from.filter({ has: page.locator(`a[href="/webhooks/${endpoint.id}"]`) });
  await expect(forwarding).toContainText(/1 to Test$/);
  await map.getByRole("list", { name: "Inboxes and hosts" }).getByRole("link").first().click();
  await expect(page).toHaveURL(new RegExp(`/inboxes/${inbox.id}$`));
});

test("The map leaves out long targets and external IDs", async ({ page, own }) => {
  for (const [name, length] of [
    ["Short", 1000],
    ["Long", 20_000],
  ] as const) {
    const target = { task: { name: "Made", description: "x".repeat(length) } };
    await own.create("schedules", { name, every_seconds: 3600, target });
  }
  const external_id = `tsk_${"x".repeat(64)}`;
  await own.create("artifacts", { name: "Made", content: "x", external_id });
  await page.goto("/dashboard");
  const map = page.getByRole("region", { name: "Map" });
  const from = map.getByRole("list", { name: "From" }).getByRole("listitem");
  await expect(from.filter({ hasText: "Short" })).toContainText("to Tasks");
  await expect(from.filter({ hasText: "Long" })).not.toContainText("to ");
  await expect(map.getByRole("list", { name: "Artifacts" })).toContainText("Artifacts");
  await expect(map.getByRole("list", { name: "Tasks" })).not.toContainText("to ");
});

test("Failing signatures, held subscriptions and missed runs need a person", async ({
  context,
  person: _person,
  api,
  key,
  db,
  own,
  endpoint,
  inbox,
}) => {
  const body = { scheme: "github", secret: "a secret of at least 16 characters" };
  expect(
    (await api("PUT", `/api/webhooks/${endpoint.id}/verification`, { key, body })).status,
  ).toBe(200);
  await endpoint.capture();
  await endpoint.capture();
  const target = { task: { name: "Made" } };
  const schedule = await own.create("schedules", { name: "Nightly", every_seconds: 3600, target });
  await db.query(
    `UPDATE schedules SET created_at = unix_now() - 9000, updated_at = unix_now() - 9000,
       last_run_at = unix_now() - 5400, checked_until = unix_now(), due_at = unix_now() + 1800
     WHERE id = $1`,
    [schedule.id],
  );
  const subscription = await own.create("subscriptions", { inbox_id: inbox.id });
  await db.query("UPDATE subscriptions SET suspended_at = unix_now() WHERE id = $1", [
    subscription.id,
  ]);
  const read = async () => (await context.request.get("/dashboard")).text();
  await expect
    .poll(async () => textOf(await read()))
    .toMatch(
      /Missed Nightly did not run when it was due .*Not verified .* 2 requests: .*Subscription Test held back: its callback failed/,
    );
  const html = await read();
  expect(html).toContain(`href="/settings?tab=developers#${subscription.id}"`);
  const since = Number(/Not verified.*?data-unix="(\d+)"/s.exec(html)?.[1]);
  const { created_at } = await own.read(`webhooks/${endpoint.id}`);
  expect(since).toBeGreaterThanOrEqual(created_at);
});

test("An endpoint holds nothing back once its events are deleted, and a schedule that caught up has missed nothing", async ({
  context,
  person: _person,
  api,
  key,
  db,
  organization,
  own,
  endpoint,
}) => {
  const full = await own.create("inboxes", { name: "Full", max_events: 1 });
  const forward = { key, body: { inbox_id: full.id } };
  expectStatus(await api("PUT", `/api/webhooks/${endpoint.id}/forward`, forward), 200);
  await endpoint.capture();
  await endpoint.capture();
  const target = { task: { name: "Made" } };
  for (const [name, catch_up] of [
    ["Catching up", "once"],
    ["Skipping", "skip"],
  ]) {
    await own.create("schedules", { name, catch_up, every_seconds: 3600, target });
  }
  // As after an outage, of which the run that catches up has the first time.
  await db.query(
    `UPDATE schedules SET created_at = unix_now() - 9000, updated_at = unix_now() - 9000,
       last_run_at = unix_now() - 5400, checked_until = unix_now(), due_at = unix_now() + 1800
     WHERE organization_id = $1`,
    [organization.id],
  );
  const read = async () => textOf(await (await context.request.get("/dashboard")).text());
  await expect.poll(read).toMatch(/Held back Orders/);
  expect(await read()).toMatch(/Missed Skipping/);
  expect(await read()).not.toMatch(/Missed Catching up/);
  expectStatus(await api("DELETE", `/api/webhooks/${endpoint.id}/events`, { key }), 204);
  await expect.poll(read).not.toMatch(/Held back Orders/);
});

/** A figure with its chart. */
function chart(page: Page, name: string) {
  return page
    .getByRole("definition")
    .filter({ has: page.getByRole("slider", { name: `${name} over time` }) });
}

function figure(page: Page, name: string) {
  return chart(page, name).locator("[data-figure]");
}
