import { resumeDispatch } from "@/lib/resources/messages/dispatch-off";
import { withDatabase } from "./with-database";

export const usage = `Usage: npm run resume

Lets the server send messages and run schedules again after a restore.`;

/** Turns dispatch on again. */
export async function run(): Promise<void> {
  const { wasOff, due } = await withDatabase(resumeDispatch);
  const count = due === 1 ? "1 message is" : `${due} messages are`;
  console.log(wasOff ? `Dispatch is on again. ${count} due.` : "Dispatch was not off.");
}
