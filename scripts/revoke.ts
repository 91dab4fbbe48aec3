import { revokeById } from "@/lib/accounts/revocation";
import { openDatabase } from "@/lib/db/open";
import { connectEmbeddedPostgres } from "@/lib/embedded-postgres/start";

const USAGE = `Usage: npm run revoke -- ID…

Revokes API keys (key_…), or agents' registrations (reg_…) with all keys that were issued for them.
The next request with such a key is answered 401. Nothing that was made with it is deleted.`;

const ids = process.argv.slice(2);
if (ids.length === 0 || ids.some((id) => !/^(key|reg)_/.test(id))) {
  console.error(USAGE);
  process.exit(ids.includes("--help") ? 0 : 1);
}

const close = await openDatabase(connectEmbeddedPostgres);
for (const id of ids) {
  const revoked = await revokeById(id);
  if (revoked === undefined) {
    console.error(`${id}: there is no such key or registration.`);
    process.exitCode = 1;
  } else {
    console.log(`${id}: ${revoked} ${revoked === 1 ? "key" : "keys"} revoked.`);
  }
}
await close();
