import { expect, test } from "playwright/test";
import { cronWords } from "@/lib/resources/schedules/cron-words";

const SAID: Record<string, string | undefined> = {
  "* * * * *": "Every minute",
  "*/5 * * * *": "Every 5 minutes",
  "*/15 9-17 * * MON-FRI": "Every 15 minutes from 09:00 to 17:59 on weekdays",
  "0 * * * *": "Every hour",
  "30 */6 * * *": "Every 6 hours at minute 30",
  "0 9 * * *": "Every day at 09:00",
  "0 9 * * MON-FRI": "At 09:00 on weekdays",
  "5 9,17 * * 1,thu": "At 09:05 and 17:05 on Monday and Thursday",
  "0 8 * * 7": "At 08:00 on Sunday",
  "0 0 1 * *": "At 00:00 on the 1st of each month",
  "0 6 11,22 JAN,7 *": "At 06:00 on the 11th and 22nd of January and July",
  "0 6 L * *": "At 06:00 on the last day of each month",
  "@weekly": "At 00:00 on Sunday",
  "@yearly": "At 00:00 on the 1st of January",
  // Words would not be clearer, or would be wrong.
  "*/7 * * * *": undefined,
  "0 9 1 * MON": undefined,
  "0 9 * * TUE-SAT": undefined,
  "1,2,3,4,5 9 * * *": undefined,
  "0 9 1-7 * *": undefined,
  nonsense: undefined,
};

test("A cron expression is said in words where they are clearer", () => {
  for (const [cron, words] of Object.entries(SAID)) expect(cronWords(cron), cron).toBe(words);
});
