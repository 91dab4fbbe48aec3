import { AsyncLocalStorage } from "node:async_hooks";
import { config } from "@/lib/platform/config/config";
import { oncePerProcess } from "@/lib/platform/process";

/**
 * Throws inside a `transaction()`, in tests only. Waiting for another connection, or for a mail
 * server, while holding one deadlocks the process under load.
 */
export function assertNoTransaction(): void {
  if (!transactions()?.getStore()?.isOpen) return;
  throw new Error("Inside a transaction: use its `db`, and do everything else after the commit.");
}

/** Runs `work` so that `assertNoTransaction` throws in it. */
export async function trackTransaction<Result>(work: () => Promise<Result>): Promise<Result> {
  const watch = transactions();
  if (!watch) return work();
  const state = { isOpen: true };
  try {
    // Prisma runs a call when it is awaited, so it must be awaited in here.
    return await watch.run(state, async () => work());
  } finally {
    // Timers and promises may outlive the transaction in its async context.
    state.isOpen = false;
  }
}

/** Undefined in production, where tracking async context costs time. */
function transactions() {
  return oncePerProcess("db.transactions", () =>
    config().validateResponses ? new AsyncLocalStorage<{ isOpen: boolean }>() : undefined,
  );
}
