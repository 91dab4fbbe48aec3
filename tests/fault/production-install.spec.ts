import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { externalPackages } from "../../scripts/external-packages.mjs";
import { expect, test, withDatabase } from "../support/fault-fixtures";
import {
  freePort,
  launchServer,
  plainEnvironment,
  ROOT,
  waitUntilHealthy,
} from "../support/servers";

test("A build runs with its external packages alone, and so do the operator's commands", async ({
  folder,
  makeEmptyDatabase,
}) => {
  const root = path.join(folder, "production");
  linkPackages(root);
  for (const name of [".next", "dist", "prisma", "scripts", "next.config.ts", "package.json"]) {
    copy(name, root);
  }
  const DATABASE_URL = await makeEmptyDatabase();
  const environment = { DATABASE_URL, MIGRATE_ON_START: "false" };
  const DATA_DIR = path.join(folder, "nothing");
  const { scripts } = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8"));
  // As npm does, which takes as long to start as the command.
  const runWith = (settings: Record<string, string>, name: string, ...argv: string[]) => {
    const [program, ...given] = scripts[name].split(" ");
    return spawnSync(program, [...given, ...argv], {
      cwd: root,
      env: { ...plainEnvironment(), DATABASE_URL, DIRECT_URL: DATABASE_URL, DATA_DIR, ...settings },
      encoding: "utf8",
    });
  };
  const run = (name: string, ...argv: string[]) => runWith({}, name, ...argv);
  const launch = async (settings: Record<string, string>) =>
    launchServer(["scripts/start.mjs"], await freePort(), settings, { cwd: root });

  const early = await launch(environment);
  expect(await early.exited).toEqual({ code: 1, signal: null });
  await expect.poll(() => early.output()).toContain("The database lacks migration 0_tables");
  expect(run("storage").stderr).toMatch(/^The database lacks migration .*\n$/);
  expect(runWith(environment, "migrate").stdout).toContain("Applied ");

  // The next version, which is served beside this one, may have migrated already.
  const sql = (text: string) => withDatabase(DATABASE_URL, (db) => db.query(text));
  await sql(`INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at)
             VALUES ('next', '', '9999_of_the_next_version', now())`);
  const older = await launch({ DATABASE_URL });
  expect(await older.exited).toEqual({ code: 1, signal: null });
  await expect.poll(() => older.output()).toContain("does not know 9999_of_the_next_version");
  expect(runWith(environment, "migrate").stdout).toBe("Nothing to migrate.\n");

  const server = await launch(environment);
  try {
    await waitUntilHealthy(server);
    expect(await server.api("GET", "/sign-in")).toMatchObject({ status: 200 });
    expect(await server.api("GET", "/client.tgz")).toMatchObject({ status: 200 });
    const webhook = await server.api("POST", "/api/webhooks", { body: { name: "orders" } });
    const capture = new URL(webhook.body.url).pathname;
    expect(await server.api("POST", capture, { body: { n: 1 } })).toMatchObject({ status: 200 });

    const created = run("create-key", "--organization", "Acme");
    const key = created.stdout.trim();
    expect(await server.api("GET", "/api/me", { key }), created.stderr).toMatchObject({
      status: 200,
    });
    await sql("DELETE FROM _prisma_migrations WHERE id = 'next'");
    const [id = ""] = created.stderr.match(/key_\w+/) ?? [];
    // Statistics follow some seconds later.
    const inserted = `SELECT FROM pg_stat_user_tables
                      WHERE relname LIKE 'webhook_events%' AND n_live_tup > 0`;
    await expect.poll(async () => (await sql(inserted)).rowCount).toBe(1);
    expect(run("storage").stdout).toMatch(/^webhook_events +\d+ kB.* 1 +0 +never$/m);
    const backup = path.join(folder, "backup");
    const saved = run("backup", backup).stdout;
    expect(saved).toMatch(
      /rows of .*\nKeep the server's SERVER_SECRET with it, or .*server-secret if the server runs/,
    );
    expect(run("restore", backup).stderr).toContain("The database is not empty");
    expect(run("resume").stdout).toBe("Dispatch was not off.\n");
    const restored = run("restore", backup, "--replace");
    expect(restored.stdout, restored.stderr).toMatch(
      /^Restored .*\nThe secret was not .*\nDispatch is off\. .*\n$/,
    );
    expect(run("revoke", id).stdout).toContain("1 key revoked");
    expect(fs.existsSync(DATA_DIR)).toBe(false);
    expect(await server.api("GET", "/api/me", { key })).toMatchObject({ status: 401 });
  } finally {
    await server.stop();
  }
});

test("Without a build and without the compilers, npm start says what is missing", ({ folder }) => {
  const root = path.join(folder, "empty");
  for (const name of ["scripts", "package.json"]) copy(name, root);
  const { status, stderr } = spawnSync(process.execPath, ["scripts/start.mjs"], {
    cwd: root,
    env: plainEnvironment(),
    encoding: "utf8",
  });
  expect(stderr).toContain("There is no build");
  expect(status).toBe(1);
});

/** Links the packages that `npm run pack` copies, and the embedded Postgres. */
function linkPackages(root: string) {
  for (const place of externalPackages()) {
    if (place.lastIndexOf("node_modules/") > 0 || !fs.existsSync(path.join(ROOT, place))) continue;
    fs.mkdirSync(path.dirname(path.join(root, place)), { recursive: true });
    fs.symlinkSync(path.join(ROOT, place), path.join(root, place));
  }
}

function copy(name: string, root: string) {
  fs.cpSync(path.join(ROOT, name), path.join(root, name), {
    recursive: true,
    verbatimSymlinks: true,
    filter: (source) => source !== path.join(ROOT, ".next/cache"),
  });
}
