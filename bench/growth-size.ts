import { adoptEmbeddedDatabase } from "@/lib/platform/config/config";
import { closePools } from "@/lib/platform/db/connections";
import { loadMap } from "@/lib/resources/overview/map";
import { loadOverview } from "@/lib/resources/overview/service";
import { cookieOf, makePerson } from "../tests/support/people";
import { fill } from "./growth-fill";
import { Connection, encode } from "./load";
import { makeKey, Stage } from "./stage";
import { timesOf } from "./times";

/** Run by growth.ts with a size; answers each subject and number of rounds with times. */
export interface Measurement {
  subject: string;
  rounds: number;
}

const OPEN_SECONDS = 60;
const INBOX = "/api/inboxes/inbox_large/events";
const FLOW = "/api/inboxes/inbox_flow/events";
const PAGES = [
  "/dashboard",
  "/tasks",
  "/tasks?view=board",
  "/messages",
  "/webhooks",
  "/webhooks/wh_00000000",
  "/inboxes",
  "/inboxes/inbox_large",
  "/artifacts",
  "/schedules",
  "/keys?tab=log",
];

const stage = await Stage.open();
const key = await makeKey(stage.db, "large");
await fill(stage.db, Number(process.argv[2]));
const { id: person } = await makePerson(stage.db, "org_large");
const cookie = await cookieOf(stage.db, person);
const { port } = await stage.service();
// For the figures of the overview, which this process loads.
adoptEmbeddedDatabase(stage.url);
const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
let connection = await Connection.open(port);
const send = (method: string, path: string, body = "") =>
  connection.send(encode({ method, path, headers, body }));
const caller = {
  kind: "key",
  keyId: "key_large",
  organizationId: "org_large",
  scopes: [],
} as const;

const subjects: Record<string, (rounds: number) => Promise<number[]>> = {
  capture: rounds(() => send("POST", "/api/catch/wh_00000000", '{"a":1}')),
  "a page of events": rounds(() => send("GET", "/api/webhooks/wh_00000000/events")),
  "receive and acknowledge": rounds(() => consume(INBOX)),
  "lease-next": rounds(() => send("POST", "/api/tasks/lease-next", '{"holder":"bench"}')),
  "tasks, label without match": rounds(() => send("GET", "/api/tasks?label=foreign")),
  "tasks, external ID without match": rounds(() => send("GET", "/api/tasks?external_id=foreign")),
  "messages, `status=failed`": rounds(() => send("GET", "/api/messages?status=failed")),
  overview: rounds(() => loadOverview(caller, "24h")),
  "overview, map": rounds(() => loadMap("org_large")),
  ...Object.fromEntries(PAGES.map((path) => [`page \`${path}\``, rounds(() => visit(path))])),
  "receive and acknowledge beside a transaction that is open for 60 s": besideTransaction,
};

process.on("message", async ({ subject, rounds }: Measurement) => {
  // The server closes idle connections while the others take their turns.
  connection.close();
  connection = await Connection.open(port);
  process.send?.((await subjects[subject]?.(rounds)) ?? []);
});
process.on("disconnect", async () => {
  connection.close();
  await closePools();
  await stage.close();
});
process.send?.(Object.keys(subjects));

function rounds(work: () => Promise<unknown>) {
  return (count: number) => timesOf(work, count);
}

/** Reads a page as the person who owns the organization. */
async function visit(path: string) {
  const headers = { Cookie: cookie, Accept: "text/html" };
  const html = await connection.send({ method: "GET", path, headers });
  if (!html.includes("</html>")) throw new Error(`${path} is no page.`);
}

async function consume(path: string) {
  const { data } = JSON.parse(await send("POST", `${path}/receive`, "{}"));
  const [{ id, lease_id }] = data;
  await send("POST", `${path}/${id}/ack`, JSON.stringify({ lease_id }));
}

/** No dead row can be removed while the transaction is open. */
async function besideTransaction(): Promise<number[]> {
  const db = await stage.db.connect();
  await db.query("SET idle_in_transaction_session_timeout = 0");
  await db.query("BEGIN ISOLATION LEVEL REPEATABLE READ");
  await db.query("SELECT count(*) FROM organizations");
  const times: number[] = [];
  const end = performance.now() + OPEN_SECONDS * 1000;
  while (performance.now() < end) {
    await send("POST", FLOW, "{}");
    times.push(...(await timesOf(() => consume(FLOW), 1)));
  }
  await db.query("COMMIT");
  db.release(true);
  return times;
}
