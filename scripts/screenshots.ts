import { spawnSync } from "node:child_process";
import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import { type Browser, chromium, type Page } from "@playwright/test";
import { browserLaunch } from "../tests/support/browser";
import { startMailbox } from "../tests/support/mailbox";
import {
  freePort,
  makeTemporaryFolder,
  plainEnvironment,
  startServer,
} from "../tests/support/servers";
import { type Picture, picturesOf } from "./screenshots/pictures";

const USAGE = `npm run screenshots [-- --out FOLDER] [-- --only NAME]

Writes a picture of every page at three widths in both themes, docs/screenshots/ unless told
otherwise; with --only, of those whose names begin so. It starts a server with a database of its own,
fills it, and leaves nothing behind.`;

const WIDTHS = [360, 768, 1440];
const THEMES = ["light", "dark"] as const;
const OWNER = "anna@northwind.example";
const NEWCOMER = "lena@example.com";

const { values } = parseArgs({
  options: {
    out: { type: "string", default: "docs/screenshots" },
    only: { type: "string", default: "" },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  console.error(USAGE);
  process.exit(0);
}

const folder = makeTemporaryFolder();
const dataDir = path.join(folder, "data");
const mailbox = await startMailbox();
const server = await startServer(["scripts/start.mjs"], await freePort(), {
  DATA_DIR: dataDir,
  MAIL_TRANSPORT: "smtp",
  SMTP_URL: mailbox.url,
  // Nothing is sent, however long the pictures take.
  DISPATCH_INTERVAL_SECONDS: "0",
});
const browser = await chromium.launch(browserLaunch());
try {
  const key = seed();
  await server.api("POST", "/api/messages/dispatch");
  if (values.only === "") await rm(values.out, { recursive: true, force: true });
  await mkdir(values.out, { recursive: true });
  const visitors = {
    owner: await signIn(browser, OWNER),
    newcomer: await signIn(browser, NEWCOMER),
    nobody: undefined,
  };
  const pictures = (await picturesOf(server.api, key)).filter(({ name }) =>
    name.startsWith(values.only),
  );
  for (const picture of pictures) {
    for (const theme of THEMES) {
      const context = await browser.newContext({
        colorScheme: theme,
        reducedMotion: "reduce",
        storageState: visitors[picture.as ?? "owner"],
      });
      for (const width of WIDTHS) await take(await context.newPage(), picture, width, theme);
      await context.close();
    }
  }
  console.log(`${pictures.length * THEMES.length * WIDTHS.length} pictures are in ${values.out}.`);
} finally {
  await browser.close();
  await server.stop();
  await mailbox.close();
  await rm(folder, { recursive: true, force: true });
}

/** Fills the database as `npm run seed` does; gives the key. */
function seed(): string {
  const words = ["--import", "tsx", "scripts/seed.ts", "--email", OWNER];
  const { status, stdout, stderr } = spawnSync(process.execPath, words, {
    env: { ...plainEnvironment(), DATA_DIR: dataDir, BASE_URL: server.baseUrl },
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`The seed failed:\n${stderr}`);
  return stdout.trim();
}

/** Signs in by the code that arrives by mail; gives the browser's state. */
async function signIn(by: Browser, email: string) {
  const context = await by.newContext();
  const page = await context.newPage();
  await page.goto(`${server.baseUrl}/sign-in`);
  await page.getByLabel("E-mail address").fill(email);
  await page.getByRole("button", { name: "Send the code" }).click();
  await page.getByLabel("Code").fill(await mailbox.code(email));
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL(/\/dashboard$/);
  const state = await context.storageState();
  await context.close();
  return state;
}

/** One page at one width. Colours are few, so that PNG, which every reader opens, stays small. */
async function take(page: Page, picture: Picture, width: number, theme: string) {
  const { name, path: address, before } = picture;
  await page.setViewportSize({ width, height: width < 500 ? 720 : 900 });
  const answer = await page.goto(server.baseUrl + address);
  if (!answer?.ok()) throw new Error(`${address} answers ${answer?.status()}.`);
  await before?.(page);
  await page.waitForFunction(() => document.querySelector("[aria-busy=true]") === null);
  await page.evaluate(async () => {
    await document.fonts.ready;
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  });
  await writeFile(`${values.out}/${name}-${width}-${theme}.png`, await page.screenshot());
  await page.close();
}
