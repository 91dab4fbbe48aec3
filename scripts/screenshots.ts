import { mkdir, writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { chromium, type Page } from "@playwright/test";
import { browserLaunch } from "../tests/support/browser";

const USAGE = `npm run screenshots -- --base http://localhost:3000 --key svc_live_…

Writes docs/screenshots/ of a running server: every page at three widths in both themes. The key is
one of an organization with lively data (npm run seed).`;

const FOLDER = "docs/screenshots";
const WIDTHS = [360, 768, 1440];
const THEMES = ["light", "dark"] as const;

const { values } = parseArgs({
  options: {
    base: { type: "string", default: "http://localhost:3000" },
    key: { type: "string" },
  },
});
if (!values.key) {
  console.error(USAGE);
  process.exit(1);
}
const { base, key } = values;

await mkdir(FOLDER, { recursive: true });
const browser = await chromium.launch(browserLaunch());
for (const theme of THEMES) {
  for (const width of WIDTHS) {
    const height = width < 500 ? 720 : 900;
    const context = await browser.newContext({
      viewport: { width, height },
      colorScheme: theme,
      reducedMotion: "reduce",
    });
    const page = await context.newPage();
    await page.goto(`${base}/sign-in`);
    await keep(page, "sign-in", width, theme);
    await signIn(page);
    for (const [name, path] of await pages()) {
      await page.goto(base + path);
      await keep(page, name, width, theme);
    }
    await context.close();
  }
}
await browser.close();

async function signIn(page: Page) {
  await page.getByText("Sign in with an API key").click();
  await page.getByLabel("API key").fill(key);
  await page.getByRole("button", { name: "Sign in with the key" }).click();
  await page.waitForURL(/\/dashboard$/);
}

async function keep(page: Page, name: string, width: number, theme: string) {
  await page.waitForTimeout(400);
  // The colours are few: a small WebP would be smaller still, but every reader opens a PNG.
  const picture = await page.screenshot();
  await writeFile(`${FOLDER}/${name}-${width}-${theme}.png`, picture);
}

/** Every page, with the oldest of each kind open: that is the one with the most to show. */
async function pages(): Promise<[string, string][]> {
  const webhook = await oldest("/api/webhooks");
  const inbox = await oldest("/api/inboxes");
  const event = await oldest(`/api/webhooks/${webhook}/events`);
  const inboxEvent = await oldest(`/api/inboxes/${inbox}/events`);
  const claimable = await call("POST", "/api/tasks", {
    name: "Translate the release notes into Portuguese",
    description: "Keep the tone. The glossary is attached to the last one.",
    priority: "high",
    labels: ["translation", "release"],
  });
  return [
    ["overview", "/dashboard"],
    ["tasks", "/tasks"],
    ["tasks-board", "/tasks?view=board"],
    ["task", `/tasks/${await oldest("/api/tasks")}`],
    ["webhooks", "/webhooks"],
    ["webhook", `/webhooks/${webhook}`],
    ["webhook-event", `/webhooks/${webhook}/events/${event}`],
    ["artifacts", "/artifacts"],
    ["artifact", `/artifacts/${await oldest("/api/artifacts")}`],
    ["messages", "/messages"],
    ["message", `/messages/${await oldest("/api/messages?status=failed")}`],
    ["inboxes", "/inboxes"],
    ["inbox", `/inboxes/${inbox}`],
    ["inbox-event", `/inboxes/${inbox}/events/${inboxEvent}`],
    ["keys", "/keys"],
    ["settings", "/settings"],
    ["claim", `/claim/${claimable.id}#claim_token=${claimable.claim_token}`],
  ];
}

async function oldest(path: string): Promise<string> {
  const { data } = await call("GET", `${path}${path.includes("?") ? "&" : "?"}limit=100`);
  return data.at(-1)?.id ?? "missing";
}

interface Found {
  id: string;
  claim_token: string;
  data: { id: string }[];
}

/** A read with the key; a create without, so that there is something to claim. */
async function call(method: string, path: string, body?: object): Promise<Found> {
  const answer = await fetch(base + path, {
    method,
    headers: body ? {} : { authorization: `Bearer ${key}` },
    ...(body && { body: JSON.stringify(body) }),
  });
  return (await answer.json()) as Found;
}
