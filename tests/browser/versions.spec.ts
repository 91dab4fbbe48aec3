import { createHash } from "node:crypto";
import type { Page } from "playwright/test";
import { everyAction } from "../support/actions";
import { test as base, expect } from "../support/browser-fixtures";
import { startNextVersion } from "../support/next-version";
import { startTcpProxy } from "../support/tcp-proxy";

const WORDS = "Words that nobody wants to type twice";

interface Upgrade {
  /** Leads to this version's server, and after `roll()` to the next version's. */
  url: string;
  roll(): void;
  rollBack(): void;
}

const test = base.extend<{ upgrade: Upgrade }>({
  upgrade: async ({ baseUrl }, use) => {
    const proxy = await startTcpProxy(baseUrl);
    await use({
      url: new URL(proxy.url).origin,
      roll: () => proxy.moveTo(nextVersion.server.baseUrl),
      rollBack: () => proxy.moveTo(baseUrl),
    });
    await proxy.close();
  },
});

// One worker, so that there is one server.
test.describe.configure({ mode: "default" });

/** The next version on the same database. It has no actions that create tasks and artifacts. */
let nextVersion: Awaited<ReturnType<typeof startNextVersion>>;

// A worker's fixture would take a worker and a browser of its own.
test.beforeAll(async ({ baseUrl, databaseUrl }) => {
  nextVersion = await startNextVersion(
    {
      BASE_URL: baseUrl,
      DATABASE_URL: databaseUrl,
      SERVER_SECRET: process.env.TEST_SERVER_SECRET ?? "",
      DISPATCH_INTERVAL_SECONDS: "0",
    },
    ["createTask", "createArtifact"],
  );
});

test.afterAll(() => nextVersion.stop());

test("The IDs of server actions follow from the source, so that every build has the same", () => {
  const actions = everyAction();
  const salt = createHash("sha256").update("agent-infrastructure").digest("base64");
  expect(actions.length).toBeGreaterThan(40);
  for (const { id, name, file } of actions) {
    const source = `${salt}${file}:${name}`;
    expect(id.slice(2)).toBe(createHash("sha1").update(source).digest("hex"));
  }
});

test("A form of one version saves on the next one and loads its page, without asking", async ({
  page,
  upgrade,
  own,
}) => {
  const task = await own.create("tasks", { name: "Before" });
  await page.goto(`${upgrade.url}/tasks/${task.id}?edit=1`);
  await page.getByLabel("Name").fill("After");
  upgrade.roll();
  const questions: string[] = [];
  page.on("dialog", (dialog) => {
    questions.push(dialog.type());
    void dialog.dismiss();
  });
  const loaded = page.waitForEvent("load");
  await page.getByRole("button", { name: "Save changes" }).click();
  await loaded;
  await expect(page.getByRole("heading", { name: "After" })).toBeVisible();
  expect(questions).toEqual([]);
  expect((await own.read(`tasks/${task.id}`)).name).toBe("After");
});

test("Where the next version lacks a form's action, the page reloads once and keeps what was typed", async ({
  page,
  upgrade,
}) => {
  const questions: string[] = [];
  page.on("dialog", (dialog) => {
    questions.push(dialog.type());
    void dialog.dismiss();
  });
  await page.goto(`${upgrade.url}/tasks?new=1`);
  await page.getByLabel("Name").fill("Typed before the roll");
  await page.getByLabel("Description").fill(WORDS);
  await page.getByRole("combobox", { name: "Labels" }).pressSequentially("first,second");
  await page.getByRole("combobox", { name: "Labels" }).press("Escape");
  upgrade.roll();
  await press(page, "Create task");
  await expect(page.getByLabel("Name")).toHaveValue("Typed before the roll");
  await expect(page.getByLabel("Description")).toHaveValue(WORDS);
  await expect(page.getByRole("button", { name: "Remove first" })).toBeVisible();
  await expect(page.getByRole("combobox", { name: "Labels" })).toHaveValue("second");
  upgrade.rollBack();

  const other = await page.context().newPage();
  await other.goto(`${upgrade.url}/artifacts?new=1`);
  await other.getByLabel("Name").fill("Typed before the roll");
  await other.getByLabel("Content").fill(WORDS);
  upgrade.roll();
  await press(other, "Create artifact");
  await expect(other.getByLabel("Content")).toHaveValue(WORDS);
  expect(questions).toEqual([]);
});

test("Without JavaScript, a form saves on the next version too, and says so where its action is gone", async ({
  openBrowser,
  upgrade,
  own,
}) => {
  const plain = await openBrowser({ javaScriptEnabled: false, baseURL: upgrade.url });
  const task = await own.create("tasks", { name: "Before" });
  await plain.goto(`/tasks/${task.id}?edit=1`);
  await plain.getByLabel("Name").fill("After");
  upgrade.roll();
  await plain.getByRole("button", { name: "Save changes" }).click();
  await expect(plain.getByRole("heading", { name: "After" })).toBeVisible();
  upgrade.rollBack();

  await plain.goto("/tasks?new=1");
  await plain.getByLabel("Name").fill("Typed before the roll");
  upgrade.roll();
  await plain.getByRole("button", { name: "Create task" }).click();
  await expect(plain.getByText("The server has a newer version of this page.")).toBeVisible();
});

async function press(page: Page, button: string) {
  const reloaded = page.waitForEvent("load");
  await page.getByRole("button", { name: button }).click();
  await reloaded;
  await expect(page.getByText("This page was updated.")).toBeVisible();
}
