import { setTimeout as pause } from "node:timers/promises";
import { randomText } from "../support/keys";
import { generator } from "../support/random";
import { MOVED } from "./checks/deliveries";
import type { Cluster } from "./cluster";
import { type Call, Log } from "./log";
import { Session, type World } from "./session";
import * as deliveries from "./workloads/deliveries";
import * as feed from "./workloads/feed";
import * as queues from "./workloads/queues";
import * as tasks from "./workloads/tasks";

/** Longer than the lease of a message, which a killed server left behind. */
const LEASE_SECONDS = 100;
const SETTLE_MS_MAX = 30_000;

/** Runs all clients under faults for a while, then reads what there is. Returns every call. */
export async function record(cluster: Cluster, seed: number, seconds: number): Promise<Call[]> {
  const log = new Log();
  const target = await deliveries.startRecordingTarget(log);
  const run = randomText(8);
  const keys = [await cluster.makeKey(`${run}a`), await cluster.makeKey(`${run}b`)] as const;
  let isOver = false;
  const world: World = {
    seed,
    run,
    log,
    keys,
    fleet: cluster.fleet,
    urlOf: (member) => cluster.urlOf(member),
    isOver: () => isOver,
  };
  const session = (name: string) => new Session(world, name);
  const setup = session("setup");
  const inbox = await queues.make(setup, "inboxes");
  const forwarded = await queues.make(setup, "inboxes");
  const endpoints = [await queues.make(setup, "webhooks"), await queues.make(setup, "webhooks")];
  for (const [n, endpoint] of endpoints.entries()) {
    const path = `/api/webhooks/${endpoint}/forward`;
    const body = n === 0 ? { inbox_id: forwarded } : { url: target.url };
    await untilDone(() => setup.call("forward", endpoint, { method: "PUT", path, body }));
    log.note({
      client: "setup",
      op: "forwards",
      on: endpoint,
      id: n === 0 ? forwarded : target.url,
    });
  }
  const registers = [await tasks.makeTask(setup), await tasks.makeTask(setup)];

  const clients = [
    ...several(2, (n) => queues.produce(session(`producer-${n}`), inbox)),
    ...several(4, (n) => queues.consume(session(`consumer-${n}`), inbox)),
    ...endpoints.flatMap((endpoint, of) =>
      several(2, (n) => queues.capture(session(`sender-${of}-${n}`), endpoint)),
    ),
    ...registers.flatMap((task, of) =>
      several(2, (n) => tasks.edit(session(`editor-${of}-${n}`), task)),
    ),
    ...several(2, (n) => tasks.fillPool(session(`offerer-${n}`))),
    ...several(3, (n) => tasks.work(session(`worker-${n}`))),
    ...several(2, (n) => deliveries.send(session(`messenger-${n}`), target.url)),
    deliveries.dispatch(session("dispatcher")),
    deliveries.plan(session("planner")),
    deliveries.claim(session("claimant")),
    ...several(2, (n) => feed.follow(session(`follower-${n}`))),
  ];
  const disturbing = cluster.disturb(generator(seed), log, () => isOver);
  await pause(seconds * 1000);
  isOver = true;
  await Promise.all([disturbing, ...clients]);

  await settle(cluster, log);
  const reader = session("reader");
  for (const id of [inbox, forwarded]) await queues.listEvents(reader, "inboxes", id);
  for (const id of endpoints) await queues.listEvents(reader, "webhooks", id);
  await tasks.listPool(reader);
  await deliveries.listOutcomes(reader);
  await feed.listFeed(reader);
  await target.stop();
  return log.calls;
}

/**
 * Waits until every message has ended and every schedule has run, with the leases that killed servers
 * left behind moved on.
 */
async function settle({ stage: { db } }: Cluster, log: Log) {
  await pause(2000);
  await db.query(
    "UPDATE scheduled_messages SET due_at = due_at - $1::bigint WHERE status = 'delivering'",
    [LEASE_SECONDS],
  );
  log.note({ client: "setup", op: MOVED, on: "messages" });
  const deadline = performance.now() + SETTLE_MS_MAX;
  for (let open = 1; open > 0 && performance.now() < deadline; ) {
    const { rows } = await db.query<{ open: number }>(`SELECT
      (SELECT count(*) FROM scheduled_messages WHERE due_at < unix_now() + 200)::int +
      (SELECT count(*) FROM schedules WHERE due_at < unix_now() + 200)::int AS open`);
    open = rows[0]?.open ?? 0;
    await pause(300);
  }
  // A change appears within a second.
  await pause(1500);
}

function several(count: number, run: (n: number) => Promise<void>): Promise<void>[] {
  return Array.from({ length: count }, (_, n) => run(n + 1));
}

async function untilDone(send: () => Promise<Call>) {
  while ((await send()).outcome !== "ok") await pause(200);
}
