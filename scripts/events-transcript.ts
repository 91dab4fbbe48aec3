import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectEmbeddedPostgres } from "@/lib/platform/embedded-postgres/start";
import { makeOrganization } from "../tests/support/accounts";
import { connectAiSdk, GITHUB_EXAMPLE, startHandler } from "../tests/support/mcp-ai-sdk";
import { freePort, pause, startServer } from "../tests/support/servers";
import { testPool } from "../tests/support/test-pool";
import { capture, makeEndpoint } from "../tests/support/webhooks";

// Starts a server with an empty database, subscribes the AI SDK's client to verified requests, and
// records in docs/events.md what is sent until its handler has run.

const FILE = "docs/events.md";
const HEADING = "## From a capture to the client";

const folder = await mkdtemp(join(tmpdir(), "events-transcript-"));
const dataDir = join(folder, "data");
const server = await startServer(["scripts/start.mjs"], await freePort(), { DATA_DIR: dataDir });
const database = await connectEmbeddedPostgres({ dataDir });
const db = testPool(database.url, 1);

const LINE_MAX = 400;
const lines: string[] = [];
let begin: number | undefined;
const note = (who: string, what: string) => {
  const at = begin === undefined ? "" : `${((performance.now() - begin) / 1000).toFixed(3)}  `;
  const shown = what.length > LINE_MAX ? `${what.slice(0, LINE_MAX)}…` : what.trim();
  lines.push(`${at}${who}: ${shown}`);
};

try {
  await walk();
  const [before] = (await readFile(FILE, "utf8")).split(`\n${HEADING}\n`);
  await writeFile(FILE, `${before}\n${HEADING}\n\n${section()}`);
  console.log(`Wrote ${FILE}.`);
} finally {
  await db.end();
  await database.stop();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}

async function walk() {
  const { api, baseUrl } = server;
  const { key } = await makeOrganization(db);
  const { id } = await makeEndpoint(api, { key });
  const { secret, ...signed } = GITHUB_EXAMPLE;
  const verification = { scheme: "github", secret };
  await api("PUT", `/api/webhooks/${id}/verification`, { key, body: verification });
  const { client, events, store } = await connectAiSdk(baseUrl, key, noting);
  let hasRun = false;
  const handler = await startHandler(
    store,
    ({ data }) => {
      note("handler", `verified ${data.verified}, body ${JSON.stringify(data.body)}`);
      hasRun = true;
    },
    note,
  );
  await events.subscribe({
    name: "webhook.received",
    arguments: { endpoint_id: id, verified: true },
    delivery: handler.delivery,
  });
  begin = performance.now();
  const captured = await capture(api, id, signed);
  note("capture answers", `200 ${captured}`);
  while (!hasRun) await pause(5);
  // Until its response was noted.
  while (!lines.at(-1)?.includes("callback answers")) await pause(5);
  await client.close();
  await handler.stop();
}

/** Notes the call that subscribes, and its result. */
async function noting(...[url, init]: Parameters<typeof fetch>): Promise<Response> {
  const { method, params } = JSON.parse(String(init?.body ?? "{}"));
  const response = fetch(url, init);
  if (method !== "events/subscribe") return response;
  const { _meta, ...shown } = params;
  note("client sends", `${method} ${JSON.stringify(shown)}`);
  const { result } = await (await response).clone().json();
  const { id, refreshBefore, cursor, truncated } = result;
  note("client gets", JSON.stringify({ id, refreshBefore, cursor, truncated }));
  return response;
}

function section(): string {
  const text = lines
    .join("\n")
    .replaceAll(server.baseUrl, "http://localhost:3000")
    .replaceAll(/127\.0\.0\.1:\d+/g, "127.0.0.1:4000")
    .replaceAll(/whsec_[\w+/=]+/g, "whsec_…");
  return `\`npm run transcript\` recorded this: the AI SDK's client subscribes to verified requests, GitHub's documented
example is captured, and the client's handler runs. The numbers are seconds since the request of the capture.

\`\`\`text
${text}
\`\`\`
`;
}
