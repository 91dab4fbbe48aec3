import { resolve } from "node:path";
import { withUnmigratedDatabase } from "@/lib/upkeep/backup/connect";
import { secretMark } from "@/lib/upkeep/backup/database";
import { checkBackup, restore } from "@/lib/upkeep/backup/restore";

export const usage = `Usage: npm run restore -- FILE [--replace]

Restores a backup into the database of DATABASE_URL (DIRECT_URL, if set), or else the one in DATA_DIR, which
must be empty. With --replace, all its rows are deleted first. Afterwards the server sends nothing and runs
no schedules until npm run resume.`;

export const options = { replace: { type: "boolean", default: false } } as const;

export const operands = { min: 1, max: 1 };

export async function run({ replace }: { replace: boolean }, [path = ""]: string[]): Promise<void> {
  const file = resolve(path);
  const work = async (url: string) => {
    const header = await checkBackup(file);
    const rows = await restore(header, { url, file, replace, log: console.error });
    const takenAt = new Date(header.taken_at * 1000).toISOString();
    console.log(`Restored ${rows} rows as of ${takenAt}.`);
    if (header.secret_mark !== secretMark()) {
      console.log(
        "The backup is of a server with another secret. Set SERVER_SECRET to it, or put its server-secret " +
          "file into DATA_DIR, before you start the server.",
      );
    }
    console.log("Dispatch is off. To send messages and run schedules again: npm run resume");
  };
  await withUnmigratedDatabase(work, { create: true });
}
