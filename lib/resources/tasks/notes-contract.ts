import * as z from "zod";
import { createdAt, idOf, objectType, reference, text } from "@/lib/platform/http/fields";

export const NOTE_CHARACTERS_MAX = 10_000;
export const NOTES_MAX = 1000;

const BODY = "What the note says, as plain text.";
const body = text({ min: 1, max: NOTE_CHARACTERS_MAX }).describe(BODY);

export const TaskNote = z
  .object({
    id: idOf("note"),
    object: objectType("task_note"),
    task_id: reference("tsk", "The task that has it."),
    author: z
      .string()
      .nullable()
      .describe("The key's name or the person's address; null if none or hidden."),
    body: z.string().describe(BODY),
    created_at: createdAt,
  })
  .meta({
    id: "TaskNote",
    examples: [
      {
        id: "note_034gM0Zr8oVbYwWk3nJ5cTqB2x",
        author: "writer-1",
        body: "Published as version 2.",
        created_at: 1_767_225_900,
      },
    ],
  });
export type TaskNote = z.infer<typeof TaskNote>;

export const NoteCreate = z
  .strictObject({ body })
  .meta({ id: "TaskNoteCreate", examples: [{ body: "Published as version 2." }] });
export type NoteCreate = z.infer<typeof NoteCreate>;

export const TaskCompletion = z
  .strictObject({
    lease_id: text()
      .optional()
      .describe("Your lease. 409 `lease_lost` if it was released or replaced since."),
    note: body.optional().describe("A note to add to it."),
  })
  .meta({
    id: "TaskCompletion",
    examples: [{ lease_id: "lse_034gM0Zr8oVbYwWk3nJ5cTqB2x", note: "Published as version 2." }],
  });
export type TaskCompletion = z.infer<typeof TaskCompletion>;
