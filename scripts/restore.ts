import { resolve } from "node:path";
import { placeOfData } from "@/lib/platform/db/place-of-data";
import { isSecretUnknown, secretMark } from "@/lib/upkeep/backup/database";
import { checkBackup, restore, startAfterRecovery } from "@/lib/upkeep/backup/restore";
import { UsageError } from "./usage-error";
import { withUnmigratedDatabase } from "./with-database";

export const usage = `Usage: npm run restore -- FILE [--replace]
       npm run restore -- --recovered

Restores a backup into the database of DATABASE_URL (DIRECT_URL, if set), or else the one in DATA_DIR, which
must be empty. With --replace, all its rows are deleted first. With --recovered it restores nothing: run it on a
database that was restored to an earlier time by other means, before a server starts. Change feed positions and
fencing tokens then continue past the lost ones. Either way dispatch is then off: the server sends nothing and
runs no schedules until npm run resume.`;

export const options = {
  replace: { type: "boolean", default: false },
  recovered: { type: "boolean", default: false },
} as const;

export const operands = { min: 0, max: 1 };

export async function run(
  { replace, recovered }: { replace: boolean; recovered: boolean },
  [path]: string[],
): Promise<void> {
  if (recovered === (path !== undefined) || (recovered && replace)) {
    throw new UsageError("Pass a FILE, or --recovered alone.");
  }
  if (path === undefined) {
    await withUnmigratedDatabase((url) => startAfterRecovery(url, console.error));
  } else {
    const file = resolve(path);
    await withUnmigratedDatabase((url) => restoreFile(url, file, replace), { create: true });
  }
  console.log("Dispatch is off. To send messages and run schedules again: npm run resume");
}

async function restoreFile(url: string, file: string, replace: boolean): Promise<void> {
  const header = await checkBackup(file);
  const rows = await restore(header, { url, file, replace, log: console.error });
  const takenAt = new Date(header.taken_at * 1000).toISOString();
  console.log(`Restored ${rows} rows as of ${takenAt} into ${placeOfData()}.`);
  if (header.secret_mark === "" || isSecretUnknown()) {
    console.log(
      "The secret was not compared: use the SERVER_SECRET of the server that was backed up.",
    );
  } else if (header.secret_mark !== secretMark()) {
    console.log(
      "The backup is of a server with another secret. Set SERVER_SECRET to it, or put its server-secret " +
        "file into DATA_DIR, before you start the server.",
    );
  }
}
