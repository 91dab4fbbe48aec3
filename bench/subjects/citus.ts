import { dropCitusDatabase, makeDistributedDatabase, queryAt } from "../../tests/support/citus";
import { compare } from "../compare";
import { cpuMicrosOf } from "../cpu";
import { load, once, repeat } from "../load";
import type { Running, Stage } from "../stage";
import { onConnections, type Table } from "../table";
import { captureOf, filledEndpoint, forwardingEndpoint } from "./capture";
import { inboxOn, makeInbox, sending, taking } from "./inboxes";

const ENDPOINTS = 16;

/**
 * The calls of events on the Citus cluster of CITUS_URL, in a database of its own, beside one Postgres. On one machine
 * the nodes share the cores, so this shows what a call costs, not how many a cluster can take.
 */
export async function citus(stage: Stage, table: Table) {
  const { CITUS_URL } = process.env;
  if (!CITUS_URL) return;
  const url = await makeDistributedDatabase(CITUS_URL);
  try {
    await measure(url, stage, table);
  } finally {
    await dropCitusDatabase(CITUS_URL, url);
  }
}

async function measure(url: string, stage: Stage, table: Table) {
  const nodes = await postmasters(url);
  const used = () => nodes.map(cpuMicrosOf);
  const before = used();
  const plain = await contender("one Postgres", await stage.service(), stage.postgresPid);
  const cluster = await contender("Citus", await stage.service({ DATABASE_URL: url }), nodes);
  const both = [cluster, plain];
  for (const connections of [1, 16, 64]) {
    const on = onConnections(connections);
    const [here, beside] = await compare(
      both.map(({ endpoints, running, ...one }) => ({
        ...one,
        turn: () => {
          let next = 0;
          return load(running.port, connections, async (connection) => {
            await connection.send(captureOf(endpoints[next++ % ENDPOINTS] ?? ""));
            return 1;
          });
        },
      })),
    );
    table.row(`capture of ${ENDPOINTS} endpoints on Citus, ${on}`, here, beside);
    const [ofOne, besideOne] = await compare(
      both.map(({ endpoints: [id = ""], running, ...one }) => ({
        ...one,
        turn: () => repeat(running.port, connections, captureOf(id)),
      })),
    );
    table.row(`capture of one endpoint on Citus, ${on}`, ofOne, besideOne);
  }
  const [forwarded, besideForwarded] = await compare(
    both.map(({ forwarding, running, ...one }) => ({
      ...one,
      before: () => once(running.port, { method: "DELETE", path: forwarding.inboxEvents }),
      turn: () => repeat(running.port, 16, captureOf(forwarding.id)),
    })),
  );
  table.row("capture, forwarded to an inbox on Citus, 16 connections", forwarded, besideForwarded);
  const [ingested, besideIngested] = await compare(both.map(({ inbox }) => sending(inbox, 16)));
  table.row("ingest on Citus, 16 connections", ingested, besideIngested);
  for (const [connections, limit] of [
    [16, 1],
    [4, 100],
  ] as const) {
    const [taken, besideTaken] = await compare(
      both.map(({ inbox }) => taking(inbox, connections, limit, 3000)),
    );
    const what = `receive ${limit} and ack ${limit} on Citus, ${connections} connections`;
    table.row(what, taken, besideTaken);
  }
  const [coordinator = 0, ...workers] = used().map((micros, n) => micros - (before[n] ?? 0));
  const all = workers.reduce((sum, one) => sum + one, coordinator);
  table.single("% of the cluster's CPU that its coordinator used", (100 * coordinator) / all);
}

async function contender(name: string, running: Running, storePid: number | number[]) {
  const { port, pid } = running;
  const endpoints: string[] = [];
  for (let n = 0; n < ENDPOINTS; n++) endpoints.push(await filledEndpoint(port, 100));
  const forwarding = await forwardingEndpoint(port);
  const inbox = { ...inboxOn(running, storePid, await makeInbox(running)), name };
  return { name, running, pid, storePid, endpoints, forwarding, inbox };
}

/** The processes of the nodes, the coordinator's first. They are on this machine. Needs a superuser. */
async function postmasters(url: string): Promise<number[]> {
  const { rows } = await queryAt<{ result: string }>(
    url,
    `SELECT result FROM run_command_on_all_nodes($$SELECT pg_read_file('postmaster.pid')$$)
     JOIN pg_dist_node USING (nodeid) ORDER BY groupid`,
  );
  return rows.map(({ result }) => Number.parseInt(result, 10));
}
