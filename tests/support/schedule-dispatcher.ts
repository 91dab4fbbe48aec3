import { createInterface } from "node:readline";
import { config } from "@/lib/platform/config/config";
import { runDueSchedules } from "@/lib/resources/schedules/dispatch";

/** A dispatcher with a clock of its own: runs what is due at each time that it reads, and writes it back. */
console.log("ready");
for await (const line of createInterface({ input: process.stdin })) {
  await runDueSchedules(config().dispatchBudgetMs, Number(line));
  console.log(line);
}
