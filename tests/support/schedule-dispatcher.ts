import { createInterface } from "node:readline";
import { config } from "@/lib/platform/config/config";
import { runDueSchedules } from "@/lib/resources/schedules/dispatch";

/** A dispatcher: runs what is due for each line that it reads, and writes the line back. */
console.log("ready");
for await (const line of createInterface({ input: process.stdin })) {
  await runDueSchedules(config().dispatchBudgetMs);
  console.log(line);
}
