import cluster, { type Worker } from "node:cluster";
import { oncePerProcess } from "./process";

interface Call {
  call: number;
  name: string;
}

type Reply = { reply: number } & (
  | { result: unknown }
  | { error: { message: string; code: unknown } }
);

/**
 * Wraps work without input that must have one place per server, so that its limits hold for all
 * processes together: another process asks the primary to run it.
 */
export function inPrimary<Result>(
  name: string,
  work: () => Promise<Result>,
): () => Promise<Result> {
  if (cluster.isWorker) return () => ask(name) as Promise<Result>;
  offered().set(name, work);
  return work;
}

/** Runs what the other processes ask for. */
export function answerCalls(): void {
  cluster.on("message", async (worker: Worker, { call, name }: Call) => {
    const reply = await run(name).then(
      (result) => ({ reply: call, result }),
      (error) => ({ reply: call, error: { message: String(error), code: error?.code } }),
    );
    if (worker.isConnected()) worker.send(reply satisfies Reply);
  });
}

function offered() {
  return oncePerProcess("primary.offered", () => new Map<string, () => Promise<unknown>>());
}

async function run(name: string): Promise<unknown> {
  const work = offered().get(name);
  if (!work) throw new Error(`The primary does not offer ${name}.`);
  return work();
}

function ask(name: string): Promise<unknown> {
  const { pending } = calls();
  const call = calls().count++;
  return new Promise((resolve, reject) => {
    pending.set(call, { resolve, reject });
    process.send?.({ call, name } satisfies Call);
  });
}

function calls() {
  return oncePerProcess("primary.calls", () => {
    const pending = new Map<
      number,
      { resolve(result: unknown): void; reject(error: Error): void }
    >();
    process.on("message", (message: Reply) => {
      const waiting = pending.get(message.reply);
      pending.delete(message.reply);
      if ("error" in message) {
        const { message: text, code } = message.error;
        waiting?.reject(Object.assign(new Error(text), { code }));
      } else waiting?.resolve(message.result);
    });
    return { count: 0, pending };
  });
}
