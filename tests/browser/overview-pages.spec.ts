import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Page } from "playwright/test";
import { kinds } from "@/lib/resources/kinds";
import { expect, test } from "../support/browser-fixtures";
import { randomText } from "../support/keys";
import { shiftsOf, show, watchShifts } from "../support/pages";
import { rowsOf } from "../support/rows";

const run = promisify(execFile);

test("Figures and changes appear by themselves, and new list items wait behind a button", async ({
  page,
  api,
  key,
  own,
  endpoint,
}) => {
  await page.goto("/dashboard");
  await watchShifts(page);
  const changes = page.getByRole("region", { name: "Changes" });
  await expect(figure(page, "Captured")).toHaveText("0");
  await endpoint.capture();
  const task = await own.create("tasks", { name: "Came later" });
  await expect(figure(page, "Captured")).toHaveText("1");
  const newest = page.getByRole("region", { name: "Newest" });
  await expect(newest.getByRole("listitem")).toHaveCount(1);
  expect(await shiftsOf(page)).toEqual([]);
  await page.getByRole("button", { name: "Show what is new" }).click();
  await expect(newest.getByRole("listitem")).toHaveCount(2);
  await expect(newest).toContainText("Came later");
  await expect(page.getByRole("button", { name: "Show what is new" })).toHaveCount(0);
  const link = changes.getByRole("link", { name: task.id }).first();
  await expect(link).toHaveAttribute("href", `/tasks/${task.id}`);
  await api("POST", `/api/tasks/${task.id}/complete`, { key });
  await expect(changes.getByRole("listitem").first()).toContainText("task completed");
});

test("An hour's captures count while their endpoint exists", async ({
  page,
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
    await page.goto("/dashboard");
    return await figure(page, "Captured").textContent();
  };
  await make({ 0: 1, 1: 20, 23: 300 });
  expect(await captured()).toBe("321");
  const second = await make({ 1: 2000, 2: 30_000, 24: 500_000 });
  expect(await captured()).toBe("32,321");
  await api("POST", `/api/catch/${second}`, { body: {} });
  expect(await captured()).toBe("32,322");
  await api("DELETE", `/api/webhooks/${second}`, { key });
  expect(await captured()).toBe("321");
});

test("The figures of an organization with sample data are those of its lists", async ({
  openBrowser,
  db,
  databaseUrl,
}) => {
  const name = `Seeded ${randomText(8)}`;
  const email = `${randomText(8).toLowerCase()}@example.com`;
  await run("node", ["scripts/run.mjs", "seed", "--organization", name, "--email", email], {
    env: { ...process.env, DATABASE_URL: databaseUrl },
  });
  const { id } = await rowsOf(db).user.findUniqueOrThrow({ where: { email } });
  const page = await openBrowser({}, { id, email });
  await page.goto("/dashboard");
  const { rows: counts } = await db.query<{ captured: number; delivered: number }>(
    `SELECT (SELECT count(*)::int FROM webhook_events JOIN webhook_endpoints e ON e.id = endpoint_id
             WHERE e.organization_id = o.id AND received_at / 3600 > unix_now() / 3600 - 24) AS captured,
            (SELECT count(*)::int FROM scheduled_messages
             WHERE organization_id = o.id AND status = 'delivered'
               AND delivered_at / 3600 > unix_now() / 3600 - 24) AS delivered
     FROM organizations o WHERE name = $1`,
    [name],
  );
  const { captured, delivered } = counts[0] ?? {};
  expect(delivered).toBeGreaterThan(100);
  await expect(figure(page, "Captured")).toHaveText(String(captured));
  await expect(figure(page, "Delivered")).toHaveText(String(delivered));
});

test("A hidden tab does not poll, and polls at once when shown again", async ({
  openBrowser,
  api,
  key,
}) => {
  const page = await openBrowser();
  await api("POST", "/api/tasks", { key, body: { name: "One" } });
  await page.clock.install();
  let asked = 0;
  page.on("request", (request) => {
    if (request.url().endsWith("/dashboard/live")) asked += 1;
  });
  await page.goto("/dashboard", { waitUntil: "networkidle" });
  await show(page, "hidden");
  const before = asked;
  await page.clock.runFor(600_000);
  expect(asked).toBe(before);
  await show(page, "visible");
  await expect.poll(() => asked).toBe(before + 1);
});

test("Each hour of a chart is readable by keyboard, by pointer and without scripts", async ({
  page,
  openBrowser,
  endpoint,
}) => {
  for (let n = 0; n < 3; n += 1) await endpoint.capture();
  await page.goto("/dashboard");
  const chart = page.getByRole("slider", { name: "Captured, hour by hour" });
  await chart.focus();
  await expect(chart).toHaveAttribute("aria-valuetext", /^\d\d:00 to \d\d:00 UTC: 3$/);
  await expect(page.getByText(/^\d\d:00–\d\d:00 UTC$/)).toBeVisible();
  await chart.press("ArrowLeft");
  await expect(chart).toHaveAttribute("aria-valuetext", /UTC: 0$/);
  const { width, height } = (await chart.boundingBox()) ?? { width: 0, height: 0 };
  await chart.hover({ position: { x: width - 1, y: height / 2 } });
  await expect(chart).toHaveAttribute("aria-valuetext", /UTC: 3$/);
  await chart.hover({ position: { x: width / 2, y: height / 2 } });
  await expect(chart).toHaveValue("12");
  await chart.hover({ position: { x: 1, y: height / 2 } });
  await expect(chart).toHaveValue("0");

  const read = await openBrowser({ javaScriptEnabled: false });
  await read.goto("/dashboard");
  const table = read.getByRole("table", { name: "Captured in each of the last 24 hours" });
  await expect(table.getByRole("row")).toHaveCount(24);
  await expect(table.getByRole("row").last()).toHaveText(/UTC3$/);
});

test("Failed messages, dead events, late dispatch and unclaimed agents are listed for attention", async ({
  page,
  db,
  organization: { id },
  own,
  inbox,
}) => {
  const given = { url: "https://gone.example/", delay_seconds: 90_000 };
  const message = await own.create("messages", given);
  await inbox.ingest();
  await inbox.nack(await inbox.receiveOne(), { dead: true });
  await db.query(
    `UPDATE scheduled_messages SET status = 'failed', due_at = NULL, delivered_at = unix_now(),
       last_error = 'http_410' WHERE id = $1`,
    [message.id],
  );
  await db.query(
    `INSERT INTO agent_registrations (id, type, requested_credential_type, organization_id, claim_token_expires_at)
     VALUES ('reg_' || $1, 'anonymous', 'api_key', $1, unix_now() + 999)`,
    [id],
  );
  await page.goto("/dashboard");
  const rows = page.getByRole("region", { name: "Needs attention" }).getByRole("listitem");
  await expect(rows).toHaveText([
    "Message failedhttps://gone.example/ http_410",
    /^Dead eventsTest 1 dead, 0 of/,
    "Agents1 registered, not yet claimed",
  ]);
  await rows.getByRole("link", { name: /gone.example/ }).click();
  await expect(page).toHaveURL(`/messages/${message.id}`);
});

test("Every call on an empty overview works as written, and every button does the same", async ({
  page,
  api,
  key,
  baseUrl,
  own,
}) => {
  await page.goto("/dashboard");
  const cards = page
    .getByRole("main")
    .locator("li")
    .filter({ has: page.locator("pre") });
  const commands = await cards.locator("code").allTextContents();
  expect(commands).toHaveLength(kinds.length);
  for (const command of commands) {
    const { stdout } = await run("sh", ["-c", `${command} --silent`]);
    expect(JSON.parse(stdout), command).toMatchObject({ organization_id: null });
  }
  for (const [index, { name: kind }] of kinds.entries()) {
    await cards.nth(index).getByRole("button").first().click();
    await expect(page).toHaveURL(new RegExp(`^${baseUrl}/${kind}/\\w+$`));
    const id = page.url().split("/").at(-1);
    const body = await own.read(kind);
    expect(body.data.map((made) => made.id)).toEqual([id]);
    await api("DELETE", `/api/${kind}/${id}`, { key });
    await page.goto("/dashboard");
  }
});

function figure(page: Page, name: string) {
  return page
    .getByRole("definition")
    .filter({ has: page.getByRole("slider", { name }) })
    .locator("span")
    .first();
}
