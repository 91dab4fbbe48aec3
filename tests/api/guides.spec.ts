import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { documentPages } from "@/lib/docs/contents";
import { expect, freshEmail, test } from "../support/agents";
import { documents, LOCAL, operationAt, ROOT, read, shellOf } from "../support/documents";
import { runGuide } from "../support/guide-session";
import { makeInbox } from "../support/inboxes";
import { randomText } from "../support/keys";
import { createOwnDatabase } from "../support/own-database";
import { freePort, makeTemporaryFolder } from "../support/servers";
import { capture, makeEndpoint } from "../support/webhooks";

/** Every guide and every page with samples runs as written: commands succeed and print the output shown. */

const guides = fs.readdirSync(path.join(ROOT, "docs/guides"));
const hasCryptography = spawnSync("python3", ["-c", "import cryptography"]).status === 0;

/** With tests of their own. That of the last is tests/browser/flow-guide.spec.ts: it takes a browser. */
const OTHERS = ["agent-key.md", "production.md", "from-webhook-to-report.md"];

for (const guide of guides.filter((name) => !OTHERS.includes(name))) {
  test(`docs/guides/${guide} runs as written`, async ({ api, baseUrl, databaseUrl, key }) => {
    test.skip(
      guide === "verify-signature.md" && !hasCryptography,
      "Python has no module cryptography here.",
    );
    const ports = await Promise.all([4000, 4001, 4002, 4003].map(() => freePort()));
    // The server does so every few seconds, which would take longer.
    const dispatching = setInterval(() => void api("POST", "/api/messages/dispatch"), 300);
    const output = await runGuide(read(`docs/guides/${guide}`), {
      replaced: {
        [LOCAL]: baseUrl,
        ...Object.fromEntries(ports.map((free, index) => [String(4000 + index), String(free)])),
        "svc_live_…": key,
        // The same without a second of npm's own.
        "npx tsx": `node ${ROOT}/node_modules/tsx/dist/cli.mjs`,
      },
      environment: { DATABASE_URL: databaseUrl },
    }).finally(() => clearInterval(dispatching));
    expectCalls(output);
  });
}

test("docs/guides/production.md runs as written", async ({ db, databaseUrl }) => {
  const port = String(await freePort());
  const database = await createOwnDatabase(db, databaseUrl);
  const folder = makeTemporaryFolder();
  const file = path.join(folder, ".env");
  const output = await runGuide(read("docs/guides/production.md"), {
    replaced: { [LOCAL]: `http://localhost:${port}`, ".env": file },
    environment: {
      DATABASE_URL: database.url,
      PORT: port,
      WEB_CONCURRENCY: "1",
      ENV_FILE: file,
    },
    skipped: SKIPPED,
  });
  await database.drop();
  expect(fs.statSync(file).mode & 0o777).toBe(0o600);
  fs.rmSync(folder, { recursive: true });
  expectCalls(output);
});

test("docs/guides/agent-key.md runs as written", async ({ agents, databaseUrl }) => {
  const email = freshEmail();
  const output = await runGuide(read("docs/guides/agent-key.md"), {
    replaced: {
      [LOCAL]: agents.baseUrl,
      "you@example.com": email,
      "My team": `Guide ${randomText(10)}`,
    },
    environment: { DATABASE_URL: databaseUrl },
    typed: { CODE: () => agents.mailbox.code(email) },
  });
  expectCalls(output);
});

test("The IDs that documents take from a list of events are never what a sender wrote", async ({
  api,
}) => {
  const forged = { id: "-o", event_id: "../x", lease_id: "lse_x -o" };
  const sent = {
    body: { ...forged, data: [forged] },
    query: forged,
    headers: { lease_id: "lse_x", id: "wev_x" },
  };
  const inbox = await makeInbox(api);
  await inbox.ingest(sent);
  const endpoint = await makeEndpoint(api);
  await capture(api, endpoint.id, sent);
  const lists = {
    receive: await inbox.tryReceive(),
    "events?": await api("GET", `/api/webhooks/${endpoint.id}/events`),
  };
  const empty = await inbox.tryReceive();
  const found = documents.flatMap((name) => {
    const source = new Map<string, keyof typeof lists>();
    return shellOf(read(name)).flatMap((line) => {
      const [, list = "", call] = /(\w+)=\$\(curl .*\/(receive|events\?)/.exec(line) ?? [];
      if (call === "receive" || call === "events?") source.set(list, call);
      const [, id = "", from = ""] = /(\w+)=\$\(printf '%s' "\$(\w+)" \|/.exec(line) ?? [];
      const kind = source.get(from);
      return kind ? [{ name, line, id, from, kind }] : [];
    });
  });
  expect(found.length).toBeGreaterThan(10);
  for (const { name, line, id, from, kind } of found) {
    const script = `${from}=$1; ${line.trim()}; printf '%s' "$${id}"`;
    const taken = (list: string) => execFileSync("sh", ["-c", script, "sh", list]).toString();
    const [event] = JSON.parse(lists[kind].text).data;
    const own = line.includes("lease_id") ? event.lease_id : event.id;
    expect.soft(taken(lists[kind].text), name).toBe(own);
    expect.soft(taken(empty.text), name).toBe("");
  }
});

/** Commands of pages that other tests run, or that are for the reader's own machines. */
const SKIPPED = [
  /^npm (?:ci|install) /m, // tests/api/client-package.spec.ts, tests/browser/first-start.spec.ts
  /^agent-infra (?:login|listen) /m, // tests/api/cli-login.spec.ts, tests/api/cli-listen.spec.ts
  /^npm run (?:backup|restore) /m, // tests/fault/backup.spec.ts
];

/** The guides have tests of their own, as has the tour, which runs the commands of the last two. */
const ELSEWHERE = /^guides|^tour$|^deployment$|^accounts$|^operations$/;

const withSamples = documentPages
  .filter(({ slug, file }) => !ELSEWHERE.test(slug) && hasSamples(file))
  .map(({ file }) => file);

for (const file of ["README.md", ...withSamples]) {
  test(`The samples of ${file} run in one shell, in their order`, async ({
    agents,
    databaseUrl,
    key,
  }) => {
    const email = freshEmail();
    const output = await runGuide(read(file), {
      replaced: {
        [LOCAL]: agents.baseUrl,
        "you@example.com": email,
        "My team": `Samples ${randomText(10)}`,
      },
      environment: {
        DATABASE_URL: databaseUrl,
        API_KEY: key,
        AGENT_INFRA_URL: agents.baseUrl,
        AGENT_INFRA_KEY: key,
      },
      skipped: SKIPPED,
    });
    if (shellOf(read(file)).some((line) => line.startsWith("curl"))) expectCalls(output);
  });
}

function hasSamples(file: string): boolean {
  return shellOf(read(file)).some((line) => /^(?:curl|agent-infra (?!login|listen))/.test(line));
}

/** Expects that every call was one of the API and succeeded. */
function expectCalls(output: string) {
  const calls = [...output.matchAll(/(\d{3}) ([A-Z]+) (http\S+)$/gm)];
  expect(calls.length).toBeGreaterThan(0);
  for (const [call, status, method = "", url = ""] of calls) {
    expect.soft(Number(status), call).toBeLessThan(400);
    expect.soft(operationAt(method, new URL(url).pathname), call).toBeDefined();
  }
}
