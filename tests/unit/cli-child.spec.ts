import { expect, test } from "playwright/test";
import { runChild } from "@/packages/client/src/cli/child";

test("A command that cannot be started is a result: unusable, unless the event is the reason", async () => {
  const run = (command: string, environment = {}) =>
    runChild([command], {
      input: new Uint8Array(),
      environment,
      stdout: "stderr",
      signal: new AbortController().signal,
    });
  const large = { LARGE: "x".repeat(3_000_000) };
  expect([
    await run(""),
    await run("no-such-command"),
    await run(`${import.meta.filename}/below`),
    await run(process.execPath, large),
  ]).toMatchObject([
    { exit_code: null, error: expect.stringContaining("empty"), unusable: true },
    { exit_code: null, error: expect.stringContaining("no such command"), unusable: true },
    { exit_code: null, error: expect.stringContaining("ENOTDIR"), unusable: true },
    { exit_code: null, error: expect.stringContaining("E2BIG"), unusable: false },
  ]);
});
