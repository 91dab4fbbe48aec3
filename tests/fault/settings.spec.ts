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

test("A server that keeps public resources says so to agents, and no number of days", async ({
  start,
}) => {
  const { api } = await start({ PUBLIC_RESOURCE_TTL_DAYS: "0" });
  const { text } = await api("GET", "/llms.txt");
  expect(text).toContain("Public resources are kept until somebody deletes them.");
  expect(text).not.toMatch(/\b0 days/);
});

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
