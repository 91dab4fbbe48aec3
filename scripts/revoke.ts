import { revokeById } from "@/lib/identity/keys/revocation";
import { deleteById } from "@/lib/identity/people/deletion";
import { ApiError } from "@/lib/platform/errors";
import { UsageError } from "./usage-error";
import { withDatabase } from "./with-database";

export const usage = `Usage: npm run revoke -- ID…

Revokes API keys (key_…), or agent registrations (reg_…) with all their keys. Requests with a revoked
key get 401. The resources made with it stay: schedules and forwards continue. Its sessions, bulk replays and
subscriptions to MCP events end. Or deletes organizations (org_…), with their keys and all that they own, as
an owner could.`;

export const operands = { min: 1, max: Number.POSITIVE_INFINITY };

/** Revokes the keys and registrations, and deletes the organizations, with these IDs. */
export async function run(_: object, ids: string[]): Promise<void> {
  const wrong = ids.find((id) => !/^(key|reg|org)_/.test(id));
  if (wrong !== undefined)
    throw new UsageError(`'${wrong}' is not an ID of a key, registration or organization.`);
  await withDatabase(() => endAll(ids));
}

async function endAll(ids: string[]): Promise<void> {
  for (const id of ids) {
    const done = await end(id).catch((error) => {
      if (error instanceof ApiError) return error;
      throw error;
    });
    if (typeof done === "string") {
      console.log(`${id}: ${done}`);
    } else {
      console.error(`${id}: ${done?.message ?? "no such key, registration or organization."}`);
      process.exitCode = 1;
    }
  }
}

async function end(id: string): Promise<string | undefined> {
  if (id.startsWith("org_")) return (await deleteById(id)) ? "deleted." : undefined;
  const revoked = await revokeById(id);
  if (!revoked) return undefined;
  const { keys, abandoned } = revoked;
  const done = `${keys} ${keys === 1 ? "key" : "keys"} revoked.`;
  return abandoned === undefined
    ? done
    : `${done} What ${abandoned} owns stays. To delete that organization: npm run revoke -- ${abandoned}`;
}
