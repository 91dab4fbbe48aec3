import { resolve } from "node:path";
import { backUp } from "@/lib/backup/back-up";
import { withUnmigratedDatabase } from "@/lib/backup/connect";
import { config } from "@/lib/config/config";

const USAGE = `Usage: npm run backup -- FILE

Writes all data to a compressed file, while the server runs or not. The database is that of DATABASE_URL
(DIRECT_URL, if set), or else the one in DATA_DIR. A file that exists is replaced once the new one is complete.`;

const [file, ...others] = process.argv.slice(2);
if (!file || file.startsWith("-") || others.length > 0) {
  console.error(USAGE);
  process.exit(1);
}
await withUnmigratedDatabase(async (url) => {
  const { tables, rows, bytes } = await backUp(url, resolve(file), console.error);
  console.log(`${rows} rows of ${tables} tables, ${(bytes / 1e6).toFixed(1)} MB, in ${file}.`);
  const { serverSecretFile } = config();
  const secret = serverSecretFile === undefined ? "SERVER_SECRET" : resolve(serverSecretFile);
  console.log(`Keep the secret with it: ${secret}.`);
});
