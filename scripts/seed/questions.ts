import type { Caller } from "@/lib/platform/caller";
import { sql } from "@/lib/platform/db/sql";
import type { QuestionCreate } from "@/lib/resources/questions/contract";
import { creation } from "@/lib/resources/questions/service";
import { DAY, HOUR, moveToPast } from "./past";

const QUESTIONS: (QuestionCreate & { ago: number })[] = [
  {
    prompt: "Which quote shall I accept for the thermal labels?",
    kind: "choice",
    options: [
      { id: "adler", label: "Adler Labels, €0.031, 5 days" },
      { id: "north", label: "North Print, €0.028, 12 days" },
      { id: "wait", label: "Ask for a better one" },
    ],
    expires_in: 2 * DAY,
    ago: 3 * HOUR,
  },
  {
    prompt: "Refund order 1042 without the parcel back?",
    kind: "approve",
    expires_in: DAY,
    ago: 1100,
  },
];

/** Questions that wait for a person. */
export async function makeQuestions(caller: Caller): Promise<void> {
  const rows = [];
  for (const { ago, ...input } of QUESTIONS) {
    const { id } = await (await creation(caller, input)).store();
    rows.push({ id, ago });
  }
  await moveToPast(sql`questions`, rows);
}
