import { oncePerProcess } from "@/lib/platform/process";
import { assertNoTransaction } from "./open-transactions";
import type { Db } from "./send";
import { queryOne, sql } from "./sql";

const READ_EVERY_MS = 60_000;
/** A larger jump means that the computer's clock was set or that it slept. */
const JUMP_MS = 1000;

/**
 * Unix seconds by the database's clock, for a `where` or `data` of Prisma, which cannot call
 * `unix_now()`. It may run a statement of its own, so pass the `tx` inside a transaction.
 */
export async function unixNow(tx?: Db): Promise<number> {
  if (!tx) assertNoTransaction();
  const clock = oncePerProcess("db.clock", () => ({
    ahead: 0,
    drift: 0,
    readAt: Number.NEGATIVE_INFINITY,
  }));
  const jumped = Math.abs(Date.now() - performance.now() - clock.drift) > JUMP_MS;
  if (jumped || performance.now() - clock.readAt > READ_EVERY_MS) {
    const row = await queryOne<{ ms: number }>(
      sql`SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS ms`,
      tx,
    );
    clock.readAt = performance.now();
    clock.drift = Date.now() - clock.readAt;
    clock.ahead = Number(row?.ms) - clock.readAt;
  }
  return Math.floor((performance.now() + clock.ahead) / 1000);
}
