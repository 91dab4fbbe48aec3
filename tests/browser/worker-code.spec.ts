import { spawn } from "node:child_process";
import fs from "node:fs";
import { expect, test } from "../support/browser-fixtures";
import { hasJq } from "../support/debian";
import { makeTemporaryFolder, plainEnvironment } from "../support/servers";

test("An inbox has its worker in three languages, each copied whole, without scripts too", async ({
  page,
  openBrowser,
  clipboard,
  inbox,
}) => {
  const plain = await openBrowser({ javaScriptEnabled: false });
  for (const shown of [page, plain]) {
    await shown.goto(`/inboxes/${inbox.id}`);
    const worker = shown.getByRole("region", { name: "Consume events" });
    for (const [name, line] of [
      ["curl", "got=$(curl"],
      ["TypeScript", `await client.work("${inbox.id}"`],
      ["MCP", "claude mcp add"],
    ] as const) {
      await worker.getByRole("radio", { name }).check({ force: true });
      const code = worker.locator("pre:visible");
      await expect(code).toContainText(line);
      await expect(worker.locator("pre:visible span[class^=code-]").first()).toBeVisible();
      // Its lines scroll within the pane.
      const box = await code.boundingBox();
      expect(box?.x).toBeGreaterThan(0);
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(
        shown.viewportSize()?.width ?? 0,
      );
      if (shown !== page) continue;
      await worker.getByRole("button", { name: `Copy ${name}` }).click();
      await expect.poll(clipboard).toBe(await code.textContent());
    }
  }
});

test("The worker of curl goes on after a failed call, and takes text with line breaks", async ({
  page,
  inbox,
  key,
}) => {
  test.skip(!hasJq(), "jq is not installed");
  await page.goto(`/inboxes/${inbox.id}`);
  const worker = page.getByRole("region", { name: "Consume events" });
  const program = await worker.locator("pre:visible").textContent();
  await inbox.ingest({ raw: "two\nlines" });
  await inbox.ingest({ raw: "one" });
  const folder = makeTemporaryFolder();
  const shell = spawn("sh", ["-c", `${FAILING_ONCE}\n${program}`], {
    cwd: folder,
    env: { ...plainEnvironment(), API_KEY: key },
    detached: true, // in a process group of its own, to end its children too
    stdio: ["ignore", "pipe", "ignore"],
  });
  let output = "";
  shell.stdout.on("data", (chunk) => {
    output += chunk;
  });
  try {
    await expect.poll(async () => (await inbox.stats()).totals.acknowledged).toBe(2);
    await expect.poll(() => output).toBe('"two\\nlines"\n"one"\n');
  } finally {
    if (shell.pid && shell.exitCode === null) process.kill(-shell.pid, "SIGKILL");
    fs.rmSync(folder, { recursive: true });
  }
});

/** The first call fails, like one to a server that is restarted. */
const FAILING_ONCE =
  'curl() { if mkdir failed 2> /dev/null; then return 22; fi; command curl "$@"; }';
