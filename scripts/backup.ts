import { resolve } from "node:path";
import { config } from "@/lib/platform/config/config";
import { backUp } from "@/lib/upkeep/backup/back-up";
import { isSecretUnknown } from "@/lib/upkeep/backup/database";
import { withUnmigratedDatabase } from "./with-database";

export const usage = `Usage: npm run backup -- FILE

Writes all data to a compressed file, while the server runs or not. The database is that of DATABASE_URL
(DIRECT_URL, if set), or else the one in DATA_DIR. A file that exists is replaced once the new one is complete.`;

export const operands = { min: 1, max: 1 };

/** Backs up the database. */
export async function run(_: object, [file = ""]: string[]): Promise<void> {
  await withUnmigratedDatabase(async (url) => {
    const { tables, rows, bytes } = await backUp(url, resolve(file), console.error);
    console.log(`${rows} rows of ${tables} tables, ${(bytes / 1e6).toFixed(1)} MB, in ${file}.`);
    const { serverSecretFile } = config();
    const secret = serverSecretFile === undefined ? "SERVER_SECRET" : resolve(serverSecretFile);
    console.log(
      isSecretUnknown()
        ? `Keep the server's SERVER_SECRET with it, or ${secret} if the server runs in this folder.`
        : `Keep the secret with it: ${secret}.`,
    );
  });
}
