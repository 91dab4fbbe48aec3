import { setTimeout as pause } from "node:timers/promises";
import { type Contender, compare } from "../compare";
import { once, type Turn } from "../load";
import type { Running, Stage } from "../stage";
import type { Table } from "../table";
import { bullmq, graphileWorker, type Missing, type Peer, pgBoss } from "./queues";

const ROUNDS = 3;
const COUNT = 3000;
const BODY = '{"bench":true}';

/** Messages to a target that responds at once, 50 at a time, beside job queues that make the same requests. */
export async function dispatch(stage: Stage, table: Table) {
  const target = await stage.start("target", process.execPath, (port) => [
    "bench/peers/target.mjs",
    `${port}`,
  ]);
  const url = `http://127.0.0.1:${target.port}/`;
  const service = await stage.service({
    DISPATCH_BUDGET_MS: "600000",
    DELIVERIES_PER_HOST_MAX: "50",
    DELIVERIES_PER_ORGANIZATION_MAX: "50",
  });
  await stage.db.query("INSERT INTO organizations (id, name) VALUES ('org_bench', 'bench')");
  const peers = [await pgBoss(stage), await graphileWorker(stage), await bullmq(stage)];
  const here: Contender = {
    name: "service",
    pid: service.pid,
    storePid: stage.postgresPid,
    before: () => dueMessages(stage, url),
    turn: () => untilArrived(target, () => call(service, "api/messages/dispatch")),
  };
  const [own, ...others] = await compare(
    [here, ...peers.flatMap((peer) => ("missing" in peer ? [] : [contenderOf(peer, target, url)]))],
    ROUNDS,
  );
  for (const other of others) table.row("dispatch, 50 at once", own, other);
  for (const peer of peers) {
    if ("missing" in peer) table.missing("dispatch, 50 at once", own, peer.missing);
  }
}

function contenderOf(peer: Exclude<Peer, Missing>, target: Running, url: string): Contender {
  const { name, running, storePid } = peer;
  return {
    name,
    pid: running.pid,
    storePid,
    before: () => call(running, "fill", { count: COUNT, data: { url, body: BODY } }),
    turn: () => untilArrived(target, () => call(running, "work")),
    after: () => call(running, "stop"),
  };
}

/** The time from the first arrival to the last; what is written afterwards counts as CPU time too. */
async function untilArrived(target: Running, go: () => Promise<unknown>): Promise<Turn> {
  await arrivals(target);
  const going = go();
  const times: number[] = [];
  while (times.length < COUNT) {
    await pause(50);
    times.push(...(await arrivals(target)));
  }
  await Promise.all([going, pause(1000)]);
  const seconds = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1000;
  return { operations: COUNT, seconds };
}

async function dueMessages(stage: Stage, url: string) {
  const series = Math.random().toString(36).slice(2, 12);
  await stage.db.query(
    `INSERT INTO scheduled_messages (id, organization_id, url, host, method, headers, body,
                                     scheduled_at, due_at)
     SELECT 'msg_' || $1 || lpad(n::text, 8, '0'), 'org_bench', $2, $3, 'POST', '{}', $4, unix_now(), unix_now()
     FROM generate_series(1, $5::integer) AS n`,
    [series, url, new URL(url).origin, BODY, COUNT],
  );
}

function call({ port }: Running, path: string, input: object = {}) {
  return once(port, { method: "POST", path: `/${path}`, body: JSON.stringify(input) });
}

async function arrivals({ port }: Running): Promise<number[]> {
  return JSON.parse(await once(port, { method: "GET", path: "/arrivals" }));
}
