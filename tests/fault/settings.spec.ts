import { mkdirSync } from "node:fs";
import path from "node:path";
import { expect, test } from "../support/fault-fixtures";
import { randomText } from "../support/keys";

const DATABASE_URL = "postgresql://127.0.0.1:1/never";

/** Of settings that do not fit each other or the machine. All other mistakes are in tests/unit/settings.spec.ts. */
test("The server does not start with wrong settings, and names the variable", async ({
  folder,
  launch,
}) => {
  mkdirSync(path.join(folder, "server-secret")); // no file: not even root can read it
  const wrong: Record<string, Record<string, string>> = {
    DATABASE_POOL_SIZE: { SERVER_SECRET: randomText(40), WEB_CONCURRENCY: "4" },
    DATA_DIR: {},
  };
  for (const [name, settings] of Object.entries(wrong)) {
    const common = { DATABASE_URL, DATABASE_POOL_SIZE: "9", DATA_DIR: folder };
    const server = await launch({ ...common, ...settings });
    expect(await server.exited, name).toEqual({ code: 1, signal: null });
    await expect.poll(() => server.output()).toContain(`${name}: `);
    expect(server.output()).not.toMatch(/^\s+at /m);
  }
});
