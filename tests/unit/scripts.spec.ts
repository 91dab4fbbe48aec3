import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, test } from "playwright/test";
import { run as runProgram } from "../support/backups";
import { ROOT } from "../support/servers";

const { scripts } = JSON.parse(fs.readFileSync(path.join(ROOT, "package.json"), "utf8")) as {
  scripts: Record<string, string>;
};
/** The npm scripts that are one program of this repository. */
const OWN = Object.entries(scripts).filter(([, line]) =>
  /^(?:exec )?(?:node|tsx) [\w/.-]+( [\w-]+)?$/.test(line),
);

test("--help acts on nothing, and an unknown argument is refused", async () => {
  expect(OWN.length).toBeGreaterThan(20);
  // A few at a time: each is a process.
  const waiting = [...OWN];
  const worker = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const [name, line] = next;
      const usage = new RegExp(`^Usage: npm (run )?.*\\b${name}\\b`, "m");
      const help = await run(line, ["--help"]);
      expect(help, name).toMatchObject({ status: 0, stdout: expect.stringMatching(usage) });
      expect(help.stderr, name).toBe("");
    }
  };
  await Promise.all([worker(), worker(), worker()]);
  for (const name of ["start", "resume"]) {
    const wrong = await run(scripts[name] ?? "", ["--unknown"]);
    expect(wrong, name).toMatchObject({ status: 1, stdout: "" });
    expect(wrong.stderr, name).toMatch(/^Unknown option '--unknown'\.?\n\nUsage: npm /);
  }
});

test("An old Node.js is refused in one sentence", async () => {
  const old = { start: "18.20.8", dev: "20.18.3", "create-key": "22.11.0" };
  for (const [name, version] of Object.entries(old)) {
    const older = `data:text/javascript,Object.defineProperty(process.versions, 'node', {value: '${version}'})`;
    const { status, stderr } = await run(scripts[name] ?? "", [], {
      NODE_OPTIONS: `--import "${older}"`,
    });
    expect(stderr).toBe(`Node.js ${version} is too old: install 20.19, 22.12 or 24.\n`);
    expect(status).toBe(1);
  }
});

test(".env has settings, also with Windows line ends, and the environment wins", async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "settings-"));
  const file = path.join(folder, "settings.env");
  const url = "postgresql://of.example/the%20file";
  fs.writeFileSync(file, `# A comment\r\nDATABASE_URL="${url}"\r\n`);
  const of = (environment: Record<string, string>) => run(scripts["db-url"] ?? "", [], environment);
  expect((await of({ ENV_FILE: file })).stdout).toBe(`${url}\n`);
  const DATABASE_URL = "postgresql://of.example/the-environment";
  expect((await of({ ENV_FILE: file, DATABASE_URL })).stdout).toBe(`${DATABASE_URL}\n`);
  fs.rmSync(folder, { recursive: true });
  const missing = await of({ ENV_FILE: file });
  expect(missing).toMatchObject({
    status: 1,
    stderr: `ENV_FILE: ${file} cannot be read (ENOENT).\n`,
  });
  // As in a process that a running server starts.
  const worker = { ENV_FILE: file, DATABASE_URL, NODE_UNIQUE_ID: "1" };
  expect((await of(worker)).stdout).toBe(`${DATABASE_URL}\n`);
});

test("db-url prints the URL of a Postgres that runs, and of no other", async () => {
  const DATA_DIR = fs.mkdtempSync(path.join(os.tmpdir(), "data-"));
  fs.mkdirSync(path.join(DATA_DIR, "postgres"));
  fs.writeFileSync(path.join(DATA_DIR, "postgres-password"), "secret");
  const urlWith = async (pid: number, state: string) => {
    const lines = [pid, `${DATA_DIR}/postgres`, 1, 5433, "", "127.0.0.1", " 1 1", state, ""];
    fs.writeFileSync(path.join(DATA_DIR, "postgres/postmaster.pid"), lines.join("\n"));
    return await run(scripts["db-url"] ?? "", [], { DATA_DIR });
  };
  const url = "postgresql://postgres:secret@127.0.0.1:5433/app?sslmode=disable";
  expect(await urlWith(process.pid, "ready   ")).toMatchObject({ status: 0, stdout: `${url}\n` });
  const none = { status: 1, stdout: "", stderr: expect.stringMatching(/^No database: /) };
  expect(await urlWith(process.pid, "stopping")).toMatchObject(none);
  expect(await urlWith(2 ** 22 - 1, "ready   ")).toMatchObject(none);
  fs.rmSync(DATA_DIR, { recursive: true });
});

test("The seed refuses what is not an email address", async () => {
  const { status, stderr } = await run(scripts.seed ?? "", ["--email", "Anna of Northwind"]);
  expect(stderr).toMatch(/^'Anna of Northwind' is not an email address\.\n\nUsage: npm run seed/);
  expect(status).toBe(1);
});

/** Runs the line of an npm script. */
function run(line: string, argv: string[], environment: Record<string, string> = {}) {
  const [program, ...given] = line.replace(/^exec /, "").split(" ");
  const tsx = program === "tsx" ? ["--import", "tsx"] : [];
  return runProgram(process.execPath, [...tsx, ...given, ...argv], environment);
}
