import { spawnSync } from "node:child_process";
import { expect, test, withDatabase } from "../support/fault-fixtures";
import { plainEnvironment, ROOT } from "../support/servers";

test("Models and SQL share a transaction, which nothing uses after its end or goes around, and no condition is undefined", async ({
  databaseUrl: url,
}) => {
  const { stdout, stderr } = run(["--import", "tsx", "tests/support/use-prisma.ts"], url);
  expect(stderr).toBe("");
  const over = expect.stringContaining("The transaction is over.");
  expect(JSON.parse(stdout)).toEqual({
    seen: ["org_kept"],
    number: "number",
    rolledBack: "No.",
    floating: over,
    after: over,
    beside: expect.stringContaining("Inside a transaction"),
    undefinedCondition: "A condition is undefined.",
    together: 6,
    created: "number",
    ids: ["org_0", "org_1", "org_2", "org_3", "org_4", "org_5", "org_kept"],
  });
});

test("Postgres refuses a value that is not in its column's set", async ({ databaseUrl: url }) => {
  await withDatabase(url, async (db) => {
    for (const [table, columns, values] of [
      ["members", "organization_id, user_id, role", "'o', 'u', 'king'"],
      ["agent_registrations", "id, type, requested_credential_type", "'a', 'x', 'api_key'"],
      ["one_time_codes", "id, purpose, subject, email, mac, expires_at", "'c', 'x', '', '', '', 0"],
      ["subscriptions", "id, organization_id, kinds, after_xid, after_id", "'s', 'o', '{x}', 0, 0"],
      [
        "subscriptions",
        "id, organization_id, actions, after_xid, after_id",
        "'s', 'o', '{x}', 0, 0",
      ],
      ["notice_settings", "id, organization_id, user_id, kinds", "'n', 'o', 'u', '{x}'"],
    ]) {
      const insertion = db.query(`INSERT INTO ${table} (${columns}) VALUES (${values})`);
      await expect(insertion, columns).rejects.toThrow(
        /for enum|violates check constraint "\w+_known_\w+"/,
      );
    }
  });
});

test("Prisma's command line works without a download", ({ databaseUrl: url }) => {
  const prisma = "node_modules/prisma/build/index.js";
  expect(run([prisma, "migrate", "status"], url).stdout).toContain("schema is up to date");
});

function run(argv: string[], url: string) {
  return spawnSync(process.execPath, argv, {
    cwd: ROOT,
    env: { ...plainEnvironment(), DATABASE_URL: url, VALIDATE_RESPONSES: "1", NODE_ENV: "test" },
    encoding: "utf8",
  });
}
