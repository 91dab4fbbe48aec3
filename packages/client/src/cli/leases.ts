import { changeConfig, readConfig } from "./config.js";

const LEASES_MAX = 100;

/** Keeps the lease of a task for `tasks done`. The newest replace the oldest. */
export async function rememberLease(taskId: string, leaseId: string): Promise<void> {
  await changeConfig((config) => {
    const others = Object.entries(config.leases).filter(([id]) => id !== taskId);
    const kept = [...others, [taskId, leaseId]].slice(-LEASES_MAX);
    config.leases = Object.fromEntries(kept);
  });
}

export async function rememberedLease(taskId: string): Promise<string | undefined> {
  return (await readConfig()).leases[taskId];
}

export async function forgetLease(taskId: string): Promise<void> {
  if ((await rememberedLease(taskId)) === undefined) return;
  await changeConfig(({ leases }) => {
    delete leases[taskId];
  });
}
