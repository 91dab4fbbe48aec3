import { expect, test } from "../support/browser-fixtures";
import { textOf } from "../support/forms";
import { type Api, jsonOf } from "../support/http";
import { openMenu } from "../support/pages";
import { makeSchedule, type Run, rewind, runsAfterDispatch, runsOf } from "../support/schedules";

test("The form shows the next runs and the fields of the target, and keeps its input when it is refused", async ({
  page,
  request,
  own,
}) => {
  await page.goto("/schedules?new=1");
  await page.getByLabel("Name", { exact: true }).fill("Daily report");
  await page.getByLabel("Cron").fill("61 * * * *");
  await page.getByLabel("Time zone").fill("Europe/Berlin");
  await page.getByLabel("Creates").selectOption("A message");
  await expect(page.getByLabel("Task name")).toBeHidden();
  await page.getByLabel("Method", { exact: true }).selectOption("PUT");
  await page.getByLabel("URL", { exact: true }).fill("https://example.com/report");
  await page.getByRole("button", { name: "Create schedule" }).click();
  await expect(page.getByRole("main").getByRole("alert")).toContainText(/cron|minute/i);
  await expect(page.getByLabel("Time zone")).toHaveValue("Europe/Berlin");
  await page.getByLabel("Cron").fill("30 8 * * MON-FRI");
  await expect(
    page.getByText(/^At 08:30 on weekdays · next \w{3},? \d+ \w{3}( \d{4})?,? 08:30; /),
  ).toBeVisible();
  // A visitor who is signed out may edit a public schedule.
  const rare = await request.get("/schedules/times?cron=0+0+29+2+*");
  expect(await rare.text()).toMatch(/29 Feb \d{4},? 00:00; .*29 Feb \d{4},? 00:00$/);
  const skipped = "cron=*+2+*+3+%2BSUNL&timezone=Europe/Berlin";
  expect(await (await request.get(`/schedules/times?${skipped}`)).text()).toBe(
    "This never occurs in Europe/Berlin: each of its times is skipped when the clocks are set forward.",
  );
  await page.getByRole("button", { name: "Create schedule" }).click();
  const detail = page.getByRole("article", { name: "Daily report" });
  await expect(detail.getByText("Creates a message")).toBeVisible();
  await expect(detail.getByText("Run", { exact: true })).toHaveCount(4);
  await expect(detail.getByText(/^\w{3}, .*, 08:30 /)).toHaveCount(5);
  const { data } = await own.read("schedules");
  expect(data).toMatchObject([
    {
      name: "Daily report",
      cron: "30 8 * * MON-FRI",
      timezone: "Europe/Berlin",
      every_seconds: null,
      target: { message: { url: "https://example.com/report", method: "PUT" } },
    },
  ]);
});

test("An edit keeps what the form does not show, and can replace an interval by a cron line", async ({
  page,
  own,
}) => {
  const task = { name: "two\nlines", labels: ["report"], priority: "high" };
  const report = { name: "Report", every_seconds: 60, target: { task } };
  const { id } = await own.create("schedules", report);
  const read = () => own.read(`schedules/${id}`);
  const edit = async (changes: Record<string, string>) => {
    await page.goto(`/schedules/${id}?span=week&edit=1`);
    for (const [label, value] of Object.entries(changes)) {
      await page.getByLabel(label, { exact: true }).fill(value);
    }
    await page.getByRole("button", { name: "Save changes" }).click();
    await expect(page).toHaveURL(`/schedules/${id}?span=week`);
  };
  await edit({ "Or every": "", Cron: "0 9 * * *", "Time zone": "Asia/Tokyo" });
  const cron = { cron: "0 9 * * *", timezone: "Asia/Tokyo", every_seconds: null };
  expect(await read()).toMatchObject({ ...cron, target: { task } });
  await edit({ Description: "With the figures", Cron: "", "Or every": "7,200" });
  const description = "With the figures";
  expect(await read()).toMatchObject({
    cron: null,
    timezone: null,
    every_seconds: 7200,
    target: { task: { labels: ["report"], priority: "high", description } },
  });
});

test("A person pauses, resumes and runs a schedule", async ({ page, api, key, own }) => {
  const { id } = await makeSchedule(api, key, { name: "Stock levels", every_seconds: 3600 });
  await page.goto(`/schedules/${id}`);
  const detail = page.getByRole("article", { name: "Stock levels" });
  await expect(detail.getByText("Next run")).toBeVisible();
  await openMenu(detail);
  await detail.getByRole("button", { name: "Pause" }).click();
  await expect(detail.getByText("Paused, and never run.")).toBeVisible();
  expect(await own.read(`schedules/${id}`)).toMatchObject({ paused: true });

  await page.keyboard.press("Escape");
  await detail.getByRole("button", { name: "Run now" }).click();
  await expect(detail.getByText("Run by hand")).toBeVisible();
  const made = (await runsOf(api, id, key))[0]?.resource_id ?? "";
  await expect(detail.getByRole("link", { name: made })).toHaveAttribute("href", `/tasks/${made}`);
  await expect(detail.getByText("Next run")).toHaveCount(0);

  await openMenu(detail);
  await detail.getByRole("button", { name: "Resume" }).click();
  await expect(detail.getByText("Next run")).toBeVisible();
  expect(await own.read(`schedules/${id}`)).toMatchObject({ paused: false });

  const inbox = await own.create("inboxes", { name: "Deleted" });
  const target = { inbox_event: { inbox_id: inbox.id, body: "{}" } };
  await own.update(`schedules/${id}`, { target });
  await api("DELETE", `/api/inboxes/${inbox.id}`, { key });
  await page.keyboard.press("Escape");
  await detail.getByRole("button", { name: "Run now" }).click();
  const said = page.getByLabel("Notifications");
  await expect(said).toContainText("Nothing was created. The inbox was deleted.");
});

test("Schedules' runs are on one timeline, on a phone too", async ({ page, api, key }) => {
  await makeSchedule(api, key, { name: "Every four hours", every_seconds: 14_400 });
  await makeSchedule(api, key, { name: "All day" });
  const cron = `* ${new Date(Date.now() + 6 * 3_600_000).getUTCHours()} * * *`;
  await makeSchedule(api, key, { name: "One hour", every_seconds: undefined, cron });
  await makeSchedule(api, key, { name: "Paused", paused: true });
  await page.goto("/schedules");
  const main = page.getByRole("main");
  const rows = main.getByRole("row");
  const stripOf = (name: string) => rows.filter({ hasText: name }).getByRole("img");
  for (const [name, count] of [
    ["Every four hours", "6"],
    ["All day", "More than 48"],
    ["One hour", "More than 48"],
    ["Paused", "0"],
  ] as const) {
    await expect(stripOf(name)).toHaveAccessibleName(`${count} runs in the next 24 hours`);
  }
  // How much of the timeline has runs.
  const shareOf = (name: string) =>
    stripOf(name).evaluate((strip) => {
      const [all = 1, ...parts] = [...strip.querySelectorAll("line")].map(
        (line) => line.getBoundingClientRect().width,
      );
      return parts.reduce((sum, part) => sum + part, 0) / all;
    });
  expect(await shareOf("All day")).toBeGreaterThan(0.9);
  expect(await shareOf("One hour")).toBeLessThan(0.1);
  const width = async () => (await stripOf("Every four hours").boundingBox())?.width;
  expect(await width()).toBeGreaterThan(300);
  await main.getByRole("link", { name: "7 days" }).click();
  await expect(main.getByRole("img", { name: "42 runs in the next 7 days" })).toBeVisible();
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await width()).toBeGreaterThan(250);
});

test("A task, a message and an inbox event name the schedule that made them, as does the task's history", async ({
  context,
  person: _person,
  api,
  key,
  inbox,
}) => {
  const targets = [
    { task: { name: "Scheduled" } },
    { message: { url: "https://example.com/", delay_seconds: 3600 } },
    { inbox_event: { inbox_id: inbox.id, body: "{}" } },
  ];
  for (const target of targets) {
    const { id } = await makeSchedule(api, key, { name: "Nightly", target });
    const path = pageOf(await run(api, id, key));
    const read = async () => {
      const tab = "inbox_event" in target ? "&tab=journey" : "";
      return await (await context.request.get(path + tab)).text();
    };
    const link = `href="/schedules/${id}"`;
    expect(await read()).toContain(link);
    if ("task" in target) {
      const history = await context.request.get(`${path}?tab=history`);
      expect(textOf(await history.text())).toContain("Created by the schedule Nightly");
    }

    await api("DELETE", `/api/schedules/${id}`, { key });
    const html = await read();
    expect(textOf(html)).toContain(`${id} · `);
    expect(html).not.toContain(link);
  }
});

test("Resources that a public schedule creates do not show its ID", async ({ visitor, api }) => {
  const { id } = await makeSchedule(api, undefined, { name: "Nightly secret" });
  await visitor.goto(pageOf(await run(api, id)));
  await expect(visitor.getByRole("definition").filter({ hasText: "sha256_" })).toBeVisible();
  const html = await visitor.content();
  expect(html).not.toContain(id);
  expect(html).not.toContain("Nightly secret");
});

test("A public schedule that has run 100 times says that it waiting to be claimed", async ({
  visitor,
  api,
  db,
}) => {
  const { id } = await makeSchedule(api, undefined, { name: "Used up" });
  await db.query("UPDATE schedules SET run_count = 100 WHERE id = $1", [id]);
  await rewind(db, id, 65);
  const [last] = await runsAfterDispatch({ api, db }, id);
  expect(last?.reason).toBe("public_limit");
  await visitor.goto(`/schedules/${id}`);
  const detail = visitor.getByRole("article", { name: "Used up" });
  await expect(detail.getByText("waiting to be claimed")).toBeVisible();
});

test("A run that sends a message is green only once the message has arrived", async ({
  page,
  api,
  key,
  db,
  startTarget,
}) => {
  const target = await startTarget((response, { path }) => {
    response.writeHead({ "/refuses": 410, "/broken": 500 }[path] ?? 200).end();
  });
  const sendTo = (path: string) => ({ message: { url: target.url + path } });
  const fields = { name: "Report", every_seconds: 86_400, target: sendTo("/works") };
  const { id } = await makeSchedule(api, key, fields);
  await run(api, id, key);
  for (const path of ["/refuses", "/broken"]) {
    await api("PATCH", `/api/schedules/${id}`, { key, body: { target: sendTo(path) } });
    await run(api, id, key);
  }
  await page.goto(`/schedules/${id}`);
  const runs = page
    .getByRole("article", { name: "Report" })
    .getByRole("listitem")
    .filter({ hasText: "Run by hand" });
  // By itself, on the page that is open.
  await expect(async () => {
    await api("POST", "/api/messages/dispatch");
    const states = [/ delivered$/, / failed 410$/, / retrying 500$/];
    await expect(runs).toHaveText(states, { timeout: 1000 });
  }).toPass();
  for (const [index, tone] of ["ok", "failed", "waiting"].entries()) {
    await expect(runs.nth(index).locator(`.text-${tone}`).first()).toBeAttached();
  }
  await expect(runs.locator(".text-ok")).toHaveCount(1);
  await db.query("DELETE FROM scheduled_messages WHERE schedule_id = $1", [id]);
  await expect(runs).toHaveText([/ created$/, / created$/, / created$/]);
  await expect(runs.locator(".text-ok, .text-failed")).toHaveCount(0);
});

/** Runs a schedule now. */
async function run(api: Api, id: string, key?: string): Promise<Run> {
  return jsonOf<Run>(await api("POST", `/api/schedules/${id}/run`, { key }));
}

/** The page of what a run has made. */
function pageOf({ resource_id, inbox_id }: Run): string {
  if (inbox_id !== null) return `/inboxes/${inbox_id}?event=${resource_id}`;
  const id = String(resource_id);
  return id.startsWith("tsk_") ? `/tasks/${id}` : `/messages/${id}`;
}
