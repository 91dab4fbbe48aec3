import { revokeById } from "@/lib/accounts/revocation";
import { openDatabase } from "@/lib/db/open";
import { connectEmbeddedPostgres } from "@/lib/embedded-postgres/start";

const USAGE = `Usage: npm run revoke -- ID…

Revokes API keys (key_…), or agent registrations (reg_…) with all their keys. Requests with a revoked
key get 401. Nothing created with it is deleted.`;

const ids = process.argv.slice(2);
if (ids.length === 0 || ids.some((id) => !/^(key|reg)_/.test(id))) {
  console.error(USAGE);
  process.exit(ids.includes("--help") ? 0 : 1);
}

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
