import { expect, test } from "../support/fault-fixtures";
import { randomText } from "../support/keys";

const VALID = {
  DATABASE_URL: "postgresql://127.0.0.1:1/never",
  SERVER_SECRET: randomText(40),
  AGENT_AUTH_SECRET: randomText(40),
};

/** One of each kind: a wrong value, a missing one, and one that does not fit another. All are in tests/unit/settings.spec.ts. */
const INVALID: Array<[name: string, value: string, others?: Record<string, string>]> = [
  ["DATABASE_URL", "mysql://localhost/x"],
  ["SERVER_SECRET", "", { BASE_URL: "https://svc.example" }],
  ["DATABASE_POOL_SIZE", "9", { WEB_CONCURRENCY: "4" }],
];

for (const [name, value, others] of INVALID) {
  const settings = { ...others, [name]: value };
  const given = JSON.stringify(settings);
  test(`The server does not start with ${given}, and names ${name}`, async ({ launch }) => {
    const server = await launch({ ...VALID, ...settings });
    expect(await server.exited).toEqual({ code: 1, signal: null });
    await expect.poll(() => server.output()).toContain(`${name}: `);
    expect(server.output()).not.toMatch(/^\s+at /m);
  });
}
