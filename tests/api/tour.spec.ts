import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { LOCAL, operationAt, ROOT, read, shellOf } from "../support/documents";
import { expect, test } from "../support/fixtures";
import { randomText } from "../support/keys";
import { plainEnvironment } from "../support/servers";

const run = promisify(execFile);

/** After each call, its status, method and URL. */
const REPORTING_CURL = `curl() { command curl -sS -w '%{stderr}%{http_code} %{method} %{url_effective}\\n' "$@"; }`;

test("The tour runs as written, and only the calls that it says are refused fail", async ({
  baseUrl,
  databaseUrl,
}) => {
  const tour = shellOf(read("docs/tour.md"))
    .join("\n")
    .replaceAll(LOCAL, baseUrl)
    .replaceAll("My team", `Tour ${randomText(10)}`);
  const { stderr } = await run("sh", ["-c", `${REPORTING_CURL}\n${tour}`], {
    cwd: ROOT,
    env: { ...plainEnvironment(), DATABASE_URL: databaseUrl, BASE_URL: baseUrl },
    maxBuffer: 50_000_000,
  });
  const calls = [...stderr.matchAll(/^(\d{3}) ([A-Z]+) (http\S+)$/gm)].map(
    ([, status, method = "", url = ""]) => ({
      status: Number(status),
      call: operationAt(method, new URL(url).pathname) ?? `${method} ${url}`,
    }),
  );
  expect(calls.length).toBe(
    shellOf(read("docs/tour.md")).filter((line) => /\bcurl\b/.test(line)).length,
  );
  expect(calls.filter(({ status }) => status >= 400)).toEqual([
    { status: 412, call: "PATCH /api/tasks/{id}" },
    { status: 403, call: "GET /api/tasks/{id}" },
    { status: 409, call: "POST /api/tasks/{id}/lease" },
    { status: 400, call: "POST /api/tasks" },
    { status: 401, call: "GET /api/tasks" },
    { status: 403, call: "POST /api/tasks" },
    { status: 401, call: "POST /api/agent/auth/claim/complete" },
    { status: 400, call: "POST /api/agent/auth/revoke" },
    { status: 400, call: "POST /oauth/token" },
  ]);
});
