import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "../support/browser-fixtures";
import { packServer } from "../support/packed-server";
import {
  freePort,
  launchServer,
  makeTemporaryFolder,
  ROOT,
  waitUntilHealthy,
} from "../support/servers";

const WORDS = "Words that nobody wants to type twice";

test("The IDs of server actions follow from the source, so every build has the same", () => {
  const { node } = manifestIn(ROOT);
  const salt = createHash("sha256").update("agent-infrastructure").digest("base64");
  expect(Object.keys(node).length).toBeGreaterThan(40);
  for (const [id, { filename, exportedName }] of Object.entries(node)) {
    const name = `${salt}${filename}:${exportedName}`;
    expect(id.slice(2)).toBe(createHash("sha1").update(name).digest("hex"));
  }
});

test("A page of one version posts to the next one; where its action is gone, it reloads and keeps what was typed", async ({
  page,
  api,
  key,
  baseUrl,
  databaseUrl,
}) => {
  const folder = makeTemporaryFolder();
  const root = path.join(folder, "next version");
  packServer(root);
  makeNextVersion(root);
  const port = await freePort();
  const next = launchServer(
    ["scripts/start.mjs"],
    port,
    { BASE_URL: baseUrl, DATABASE_URL: databaseUrl, DISPATCH_INTERVAL_SECONDS: "0" },
    { cwd: root },
  );
  try {
    await waitUntilHealthy(next);
    const { body: task } = await api("POST", "/api/tasks", { key, body: { name: "Before" } });
    const old = new URL(baseUrl).host;
    const roll = () =>
      page.route("**/*", (route) =>
        route.continue({ url: route.request().url().replace(old, `localhost:${port}`) }),
      );

    await page.goto(`/tasks/${task.id}?edit=1`, { waitUntil: "networkidle" });
    await page.getByLabel("Name").fill("After");
    await roll();
    await page.getByRole("button", { name: "Save changes" }).click();
    await expect(page.getByRole("heading", { name: "After" })).toBeVisible();
    expect((await api("GET", `/api/tasks/${task.id}`, { key })).body.name).toBe("After");

    await page.unrouteAll();
    await page.goto("/tasks?new=1", { waitUntil: "networkidle" });
    await page.getByLabel("Name").fill("Typed before the roll");
    await page.getByLabel("Description").fill(WORDS);
    await roll();
    const reloaded = page.waitForEvent("load");
    await page.getByRole("button", { name: "Create task" }).click();
    await reloaded;
    await expect(page.getByText("This page is now of a newer version.")).toBeVisible();
    await expect(page.getByLabel("Name")).toHaveValue("Typed before the roll");
    await expect(page.getByLabel("Description")).toHaveValue(WORDS);
  } finally {
    await next.stop();
    fs.rmSync(folder, { recursive: true, force: true });
  }
});

interface Manifest {
  node: Record<string, { filename: string; exportedName: string }>;
}

function manifestIn(root: string): Manifest {
  const file = path.join(root, ".next/server/server-reference-manifest.json");
  return JSON.parse(fs.readFileSync(file, "utf8"));
}

/** Makes a build that of another commit, in which the action that creates a task has another name. */
function makeNextVersion(root: string) {
  const [id = ""] =
    Object.entries(manifestIn(root).node).find(
      ([, { exportedName }]) => exportedName === "createTask",
    ) ?? [];
  expect(id).not.toBe("");
  for (const name of ["server-reference-manifest.json", "server-reference-manifest.js"]) {
    edit(path.join(root, ".next/server", name), (text) =>
      text.replaceAll(id, id.slice(0, 2) + "0".repeat(id.length - 2)),
    );
  }
  edit(path.join(root, ".next/required-server-files.json"), (text) =>
    text.replace(/"deploymentId": ?"[^"]+"/, '"deploymentId":"next-version"'),
  );
}

function edit(file: string, change: (text: string) => string) {
  fs.writeFileSync(file, change(fs.readFileSync(file, "utf8")));
}
