import { spawnSync } from "node:child_process";
import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Browser, BrowserContext } from "playwright/test";
import {
  freePort,
  makeTemporaryFolder,
  plainEnvironment,
  startServer,
} from "../tests/support/servers";
import { argumentsOf } from "./arguments.mjs";
import type { Picture } from "./screenshots/picture";

const USAGE = `Usage: npm run screenshots [-- --out FOLDER] [-- --only NAME]
npm run screenshots -- --documents

Takes a picture of every page at three widths in both themes into docs/screenshots, or into FOLDER;
with --only, of the pages whose names begin with NAME. With --documents it retakes the four pictures
that the documents show, light and dark, in docs/images, and the one in previews of links, app/opengraph-image.png. It
starts its own server and database, fills them, and removes them.`;

const WIDTHS = [320, 768, 1440];
const THEMES = ["light", "dark"] as const;
const IN_DOCUMENTS = ["overview", "tasks-board", "webhook-event", "message"];
const DOCUMENT_WIDTH = 1280;
const OWNER = "anna@northwind.example";
const NEWCOMER = "lena@example.com";

const { values } = argumentsOf(USAGE, {
  options: {
    out: { type: "string" },
    only: { type: "string", default: "" },
    documents: { type: "boolean", default: false },
  },
});
const { only, documents } = values;
const out = values.out ?? (documents ? "docs/images" : "docs/screenshots");
// Only now, since --help should not wait for them.
const [{ chromium }, { browserLaunch }, { startMailbox }, { picturesOf }] = await Promise.all([
  import("playwright/test"),
  import("../tests/support/browser"),
  import("../tests/support/mailbox"),
  import("./screenshots/pictures"),
]);
const folder = makeTemporaryFolder();
const dataDir = path.join(folder, "data");
const mailbox = await startMailbox();
const server = await startServer(["scripts/start.mjs"], await freePort(), {
  DATA_DIR: dataDir,
  MAIL_TRANSPORT: "smtp",
  SMTP_URL: mailbox.url,
  // The server must send nothing while the pictures are taken.
  DISPATCH_INTERVAL_SECONDS: "0",
});
const launch = browserLaunch();
// Positions letters as on a high-resolution screen.
const args = [...(launch.args ?? []), "--font-render-hinting=none"];
const browser = await chromium.launch({ ...launch, args });
try {
  await takePages();
  console.log(`The pictures are in ${out}.`);
} finally {
  await browser.close();
  await server.stop();
  await mailbox.close();
  await rm(folder, { recursive: true, force: true });
}

async function takePages() {
  const key = seed();
  await server.api("POST", "/api/messages/dispatch");
  if (only === "") await rm(out, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  const visitors = {
    owner: await signIn(browser, OWNER),
    newcomer: await signIn(browser, NEWCOMER),
    nobody: undefined,
  };
  const pictures = (await picturesOf(server.api, key)).filter(({ name }) => name.startsWith(only));
  if (documents) {
    const shown = pictures.filter(({ name }) => IN_DOCUMENTS.includes(name));
    for (const theme of THEMES) {
      const context = await browser.newContext(lookOf(theme, visitors.owner));
      for (const picture of shown) {
        const file = theme === "dark" ? `${picture.name}-dark` : picture.name;
        await take(context, picture, DOCUMENT_WIDTH, file);
      }
    }
    await takeLinkPreview();
  } else {
    for (const picture of pictures) await takeAll(picture, visitors[picture.as ?? "owner"]);
  }
}

/** Takes the top of the home page in the size of link previews. */
async function takeLinkPreview() {
  const page = await browser.newPage({ viewport: { width: 1200, height: 630 } });
  await page.goto(server.baseUrl);
  await page.evaluate((address) => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const { currentNode: node } = texts;
      node.nodeValue = node.nodeValue?.replaceAll(address, "https://agents.example.com") ?? null;
    }
  }, server.baseUrl);
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  await writeFile("app/opengraph-image.png", await page.screenshot());
  await page.close();
}

async function takeAll(picture: Picture, visitor: Session | undefined) {
  for (const theme of THEMES) {
    const context = await browser.newContext(lookOf(theme, visitor));
    for (const width of WIDTHS) {
      await take(context, picture, width, `${picture.name}-${width}-${theme}`);
    }
    await context.close();
  }
}

function lookOf(colorScheme: (typeof THEMES)[number], storageState: Session | undefined) {
  return { colorScheme, reducedMotion: "reduce" as const, ...(storageState && { storageState }) };
}

/** Fills the database as `npm run seed` does, and returns the key. */
function seed(): string {
  const words = ["scripts/run.mjs", "seed", "--email", OWNER];
  const { status, stdout, stderr } = spawnSync(process.execPath, words, {
    env: { ...plainEnvironment(), DATA_DIR: dataDir, BASE_URL: server.baseUrl },
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`The seed failed:\n${stderr}`);
  return stdout.trim();
}

type Session = Awaited<ReturnType<typeof signIn>>;

/** Signs in with the code from the mail, and returns the browser's state. */
async function signIn(by: Browser, email: string) {
  const context = await by.newContext();
  const page = await context.newPage();
  await page.goto(`${server.baseUrl}/sign-in`);
  await page.getByLabel("Email address").fill(email);
  await page.getByRole("button", { name: "Send the code" }).click();
  await page.getByLabel("Code").fill(await mailbox.code(email));
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL(/\/dashboard$/);
  const state = await context.storageState();
  await context.close();
  return state;
}

async function take(context: BrowserContext, picture: Picture, width: number, file: string) {
  const page = await context.newPage();
  const { path: address, before } = picture;
  await page.setViewportSize({ width, height: width < 500 ? 720 : 900 });
  const response = await page.goto(server.baseUrl + address);
  if (!response?.ok()) throw new Error(`${address} returned ${response?.status()}.`);
  await before?.(page);
  await page.waitForFunction(() => document.querySelector("[aria-busy=true]") === null);
  await page.getByText("Connecting", { exact: true }).waitFor({ state: "hidden" });
  await page.evaluate(async () => {
    await document.fonts.ready;
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  });
  await writeFile(`${out}/${file}.png`, await page.screenshot());
  await page.close();
}
