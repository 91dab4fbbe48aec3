import { expect, test } from "../support/fault-fixtures";
import { randomText } from "../support/keys";

/** Of settings that do not fit each other. All other mistakes are in tests/unit/settings.spec.ts. */
test("The server does not start with wrong settings, and names the variable", async ({
  launch,
}) => {
  const server = await launch({
    DATABASE_URL: "postgresql://127.0.0.1:1/never",
    SERVER_SECRET: randomText(40),
    WEB_CONCURRENCY: "4",
    DATABASE_POOL_SIZE: "9",
  });
  expect(await server.exited).toEqual({ code: 1, signal: null });
  await expect.poll(() => server.output()).toContain("DATABASE_POOL_SIZE: ");
  expect(server.output()).not.toMatch(/^\s+at /m);
});
