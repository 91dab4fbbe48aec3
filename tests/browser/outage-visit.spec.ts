import type { Page } from "playwright/test";
import { expect as baseExpect, test } from "../support/browser-fixtures";
import { generator } from "../support/random";
import { freePort, pause, SERVE, startServer } from "../support/servers";
import { startTcpProxy } from "../support/tcp-proxy";

/** A busy machine takes half a minute to start a killed server. */
const expect = baseExpect.configure({ timeout: 90_000 });

const VISITS = Number(process.env.OUTAGE_VISITS ?? 1);
/** The longest time between two faults, and the longest fault. */
const CALM_MS = 3000;
const FAULT_MS = 1000;
/** Of one visit. Each may start the server again, which takes longer than all that the visit does. */
const FAULTS_MAX = 2;

test("A visit during random faults of server, network and database sees no error page and loses no typed text", async ({
  page,
  context,
  api,
  key,
  databaseUrl,
  baseUrl,
  person: _person,
}) => {
  test.setTimeout(120_000 + VISITS * 60_000);
  const seed = Number(process.env.OUTAGE_SEED ?? Math.floor(Math.random() * 2 ** 31));
  console.log(`OUTAGE_SEED=${seed}`);
  const random = generator(seed);
  const port = await freePort();
  const database = await startTcpProxy(databaseUrl);
  const environment = {
    DATABASE_URL: database.url,
    SERVER_SECRET: process.env.TEST_SERVER_SECRET ?? "",
    BASE_URL: baseUrl,
    DISPATCH_INTERVAL_SECONDS: "0",
  };
  const start = () => startServer([SERVE], port, environment);
  let server = await start();
  const line = await startTcpProxy(server.baseUrl);
  const origin = new URL(line.url).origin;
  const left: string[] = [];
  page.on("framenavigated", (frame) => {
    if (!frame.url().startsWith(origin)) left.push(frame.url());
  });
  page.on("pageerror", (error) => left.push(String(error)));

  let isOver = false;
  const faults = { kill: 0, cut: 0, freeze: 0, offline: 0, database: 0 };
  const worker = async () => {
    for (let turn = 0; !isOver && turn < VISITS * FAULTS_MAX; turn += 1) {
      await pause(500 + random() * CALM_MS);
      const names = Object.keys(faults) as (keyof typeof faults)[];
      const name = (turn > 0 && names[Math.floor(random() * names.length)]) || "kill";
      faults[name] += 1;
      const lasts = 100 + random() * FAULT_MS;
      if (process.env.OUTAGE_LOG) console.log(`${name} ${page.url()}`);
      if (name === "kill") {
        server.kill("SIGKILL");
        await server.exited;
        const started = performance.now();
        server = await start();
        // A machine that starts it slowly also opens the first page slowly.
        await pause(performance.now() - started);
      } else if (name === "cut") {
        line.cut();
        await pause(lasts);
        line.mend();
      } else if (name === "freeze") {
        line.freeze();
        await pause(lasts);
        line.thaw();
      } else if (name === "database") {
        database.cut();
        await pause(lasts);
        database.mend();
      } else {
        await context.setOffline(true);
        await pause(lasts);
        await context.setOffline(false);
      }
    }
  };

  await page.goto(`${origin}/dashboard`);
  await expect(page.getByRole("heading", { name: "Overview" })).toBeVisible();
  const working = worker();
  const names: string[] = [];
  try {
    for (let visit = 0; visit < VISITS; visit += 1) {
      for (const { place, what, path } of FORMS) {
        const name = `${what} ${visit}`;
        names.push(name);
        await page.getByRole("navigation").getByRole("link", { name: place }).click();
        await expect(page.getByRole("heading", { name: place, exact: true })).toBeVisible();
        await page.getByRole("link", { name: /^New / }).first().click();
        await page.getByLabel("Name", { exact: true }).fill(name);
        await pause(random() * 500);
        await expect(page.getByLabel("Name", { exact: true })).toHaveValue(name);
        await sendUntil(page, `Create ${what}`, new RegExp(`${path}/\\w+$`), name);
        await expect(page.getByRole("heading", { name })).toBeVisible();
      }
      await page.getByRole("navigation").getByRole("link", { name: "Tasks" }).click();
      // Until React has hydrated the page, nothing can hold a form back that the server would not answer.
      await expect(page.getByText("Live", { exact: true })).toBeVisible();
      await page.getByRole("searchbox", { name: "Search tasks" }).fill("task");
      await page.getByRole("searchbox", { name: "Search tasks" }).press("Enter");
      await expect(page).toHaveURL(/q=task/);
    }
  } finally {
    isOver = true;
    await working;
    await line.close();
    await server.stop();
    await database.close();
  }
  console.log(JSON.stringify(faults));
  expect(left).toEqual([]);
  const stored: string[] = [];
  for (const { path } of FORMS) {
    const { body } = await api("GET", `/api${path}`, { key, query: { limit: 100 } });
    stored.push(...body.data.map((one: { name: string }) => one.name));
  }
  expect(stored.sort()).toEqual(names.sort());
});

const FORMS = [
  { place: "Tasks", what: "task", path: "/tasks" },
  { place: "Webhooks", what: "endpoint", path: "/webhooks" },
];

/** Sends the form until the page of the new resource is open; what was typed is always there. */
async function sendUntil(page: Page, button: string, opened: RegExp, typed: string) {
  const field = page.getByLabel("Name", { exact: true });
  await expect(async () => {
    if (opened.test(page.url())) return;
    expect(await field.inputValue({ timeout: 500 })).toBe(typed);
    await page.getByRole("button", { name: button }).click({ timeout: 500 });
    await expect(page).toHaveURL(opened, { timeout: 2000 });
  }).toPass();
}
