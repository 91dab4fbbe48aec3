import cluster, { type Worker } from "node:cluster";
import { codeOf } from "@/lib/platform/db/failures";
import { oncePerProcess } from "@/lib/platform/process";

/** How long a process may take to reply to a call that goes to all processes. */
const REPLY_MS_MAX = 5000;
/** Node counts the others from 1. */
const LEADER_ID = 0;

interface Call {
  call: number;
  name: string;
}

type Reply = { reply: number } & (
  | { result: unknown }
  | { error: { message: string; code: unknown } }
);

type Send = (message: Call | Reply) => void;

const handlers = oncePerProcess("leader.handlers", () => new Map<string, () => Promise<unknown>>());

const calls = oncePerProcess("leader.calls", () => ({
  count: 0,
  pending: new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>(),
}));

/**
 * Wraps work without input that must run in one place per server, so that its limits hold for all
 * processes together. The other processes ask the leader to run it.
 */
export function onLeader<Result>(name: string, work: () => Promise<Result>): () => Promise<Result> {
  if (cluster.isWorker)
    return () => request(name, (call) => process.send?.(call)) as Promise<Result>;
  handlers.set(name, work);
  return work;
}

/**
 * Wraps work without input that the leader runs in every process of the server; results must be
 * JSON. For a process that does not reply within five seconds, its last result counts. `ended` has
 * the last results of the processes that have ended since the last call.
 */
export function onEveryProcess<Result>(
  name: string,
  work: () => Promise<Result>,
): () => Promise<{ running: Result[]; ended: Result[] }> {
  handlers.set(name, work);
  const last = new Map<number, Result>();
  const keep = (id: number, reply: Promise<Result>) => reply.then((result) => last.set(id, result));
  return async () => {
    const replies = workers().map((worker) => {
      const reply = request(name, (call) => worker.send(call), REPLY_MS_MAX);
      return keep(worker.id, reply as Promise<Result>);
    });
    await Promise.allSettled([keep(LEADER_ID, work()), ...replies]);
    const ended = [...last].filter(([id]) => id !== LEADER_ID && !cluster.workers?.[id]);
    for (const [id] of ended) last.delete(id);
    return { running: [...last.values()], ended: ended.map(([, result]) => result) };
  };
}

function workers(): Worker[] {
  return Object.values(cluster.workers ?? {}).filter(
    (worker): worker is Worker => worker?.isConnected() === true,
  );
}

/** Runs the work that other processes request, and receives their replies. */
export function handleCalls(): void {
  if (cluster.isWorker) {
    const send: Send = (message) => process.send?.(message);
    process.on("message", (message: Call | Reply) => receive(message, send));
  } else {
    cluster.on("message", (worker: Worker, message: Call | Reply) =>
      receive(message, (reply) => worker.isConnected() && worker.send(reply)),
    );
  }
}

async function receive(message: Call | Reply, send: Send) {
  if ("reply" in message) return settle(message);
  const { call, name } = message;
  send(
    await run(name).then(
      (result) => ({ reply: call, result }),
      (error) => ({ reply: call, error: described(error) }),
    ),
  );
}

/** The parts of an error that `isDatabaseDown` reads in the calling process. */
function described(error: unknown) {
  return { message: error instanceof Error ? error.message : String(error), code: codeOf(error) };
}

async function run(name: string): Promise<unknown> {
  const work = handlers.get(name);
  if (!work) throw new Error(`This process does not handle ${name}.`);
  return work();
}

function request(name: string, send: Send, msMax?: number): Promise<unknown> {
  const { pending } = calls;
  const call = calls.count++;
  return new Promise((resolve, reject) => {
    pending.set(call, { resolve, reject });
    if (msMax !== undefined) {
      const error = { message: `A process did not reply to ${name}.`, code: undefined };
      setTimeout(settle, msMax, { reply: call, error }).unref();
    }
    send({ call, name });
  });
}

function settle(message: Reply) {
  const { pending } = calls;
  const waiting = pending.get(message.reply);
  pending.delete(message.reply);
  if ("error" in message) {
    const { message: text, code } = message.error;
    waiting?.reject(Object.assign(new Error(text), { code }));
  } else waiting?.resolve(message.result);
}
