import { execFileSync, spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { stripVTControlCharacters } from "node:util";
import { expect, test } from "../support/browser-fixtures";
import {
  endPostgres,
  freePort,
  makeTemporaryFolder,
  plainEnvironment,
  ROOT,
} from "../support/servers";

/** On a terminal, from npm's own lines to the end of the startup message, without the build's two. */
const LINES_MAX = 20;
const EMAIL = "you@example.com";

test("npm start in a new folder prints few lines, and each leads on, up to tasks in the dashboard", async ({
  visitor: page,
}) => {
  test.skip(spawnSync("script", ["--version"]).error !== undefined, "needs script(1)");
  const folder = makeTemporaryFolder();
  const built = ["dist", ".next", "prisma", "scripts", "package.json", "next.config.ts"];
  for (const name of built) fs.symlinkSync(path.join(ROOT, name), path.join(folder, name));
  const port = await freePort();
  fs.writeFileSync(path.join(folder, ".env"), `# Of this test\r\nPORT="${port}"\r\nHOST=\r\n`);
  const { ENV_FILE: _, ...env } = plainEnvironment();

  const terminal = spawn("script", ["-qec", "npm start", "/dev/null"], { cwd: folder, env });
  let text = "";
  terminal.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    text += stripVTControlCharacters(chunk).replaceAll("\r", "");
  });
  const ended = new Promise((resolve) => terminal.once("close", resolve));
  const printed = (pattern: RegExp) => pattern.exec(text)?.[1] ?? "";
  const command = (line: string) =>
    execFileSync("sh", ["-c", line], { cwd: folder, env, encoding: "utf8", stdio: "pipe" });
  try {
    await expect.poll(() => text, { timeout: 120_000 }).toMatch(/^ {2}Data .*\n/m);
    expect(text.trim().split("\n").length, text).toBeLessThanOrEqual(LINES_MAX);
    expect(text).not.toMatch(/warn|\{"time"/i);
    expect(text).toContain(path.join(folder, ".data"));

    expect(JSON.parse(command(printed(/^ {2}API +(.*?)$/m)))).toMatchObject({
      name: "Say hello",
    });
    expect(command(printed(/^ {2}API key +(.*?)$/m))).toContain("svc_live_");
    const seed = printed(/^ {2}Sample data +(.*?)$/m);
    expect(seed).toContain(EMAIL);
    command(seed);

    await page.goto(printed(/^ {2}Dashboard +(\S+) .*the code appears here/m));
    await page.getByLabel("Email address").fill(EMAIL);
    await page.getByRole("button", { name: "Send the code" }).click();
    await expect.poll(() => text).toMatch(/^\s*(\d{6})\s*$/m);
    await page.getByLabel("Code").fill(printed(/^\s*(\d{6})\s*$/m));
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page).toHaveURL(`http://localhost:${port}/dashboard`);
    await page.goto(`http://localhost:${port}/tasks`);
    await expect(page.getByRole("link", { name: "Reconcile the October payouts" })).toBeVisible();
    // Requests, too, are lines for people.
    await expect.poll(() => text).toMatch(/^\d\d:\d\d:\d\d GET \/tasks 200 /m);
    expect(text).not.toContain('{"time"');
  } finally {
    terminal.stdin.write("\x03");
    await ended;
    await endPostgres(path.join(folder, ".data"));
    fs.rmSync(folder, { recursive: true, force: true });
  }
});
