import { openDatabase } from "@/lib/platform/db/open";
import { connectEmbeddedPostgres } from "@/lib/platform/embedded-postgres/start";
import { resumeDispatch } from "@/lib/resources/messages/dispatch-off";

export const usage = `Usage: npm run resume

Lets the server send messages and run schedules again after a restore.`;

/** Turns dispatch on again. */
export async function run(): Promise<void> {
  const close = await openDatabase(connectEmbeddedPostgres);
  const { wasOff, due } = await resumeDispatch();
  const count = due === 1 ? "1 message is" : `${due} messages are`;
  console.log(wasOff ? `Dispatch is on again. ${count} due.` : "Dispatch was not off.");
  await close();
}
