import { revokeById } from "@/lib/identity/keys/revocation";
import { openDatabase } from "@/lib/platform/db/open";
import { connectEmbeddedPostgres } from "@/lib/platform/embedded-postgres/start";
import { UsageError } from "./usage-error";

export const usage = `Usage: npm run revoke -- ID…

Revokes API keys (key_…), or agent registrations (reg_…) with all their keys. Requests with a revoked
key get 401. Nothing created with it is deleted.`;

export const operands = { min: 1, max: Number.POSITIVE_INFINITY };

/** Revokes the keys and registrations with these IDs. */
export async function run(_: object, ids: string[]): Promise<void> {
  const wrong = ids.find((id) => !/^(key|reg)_/.test(id));
  if (wrong !== undefined)
    throw new UsageError(`'${wrong}' is not an ID of a key or registration.`);

  const close = await openDatabase(connectEmbeddedPostgres);
  for (const id of ids) {
    const revoked = await revokeById(id);
    if (revoked === undefined) {
      console.error(`${id}: no such key or registration.`);
      process.exitCode = 1;
    } else {
      console.log(`${id}: ${revoked} ${revoked === 1 ? "key" : "keys"} revoked.`);
    }
  }
  await close();
}
