import * as z from "zod";
import { clampedText, idOf, objectType, time, wait } from "@/lib/platform/http/fields";
import { LIMIT, LIMIT_DEFAULT, LIMIT_MAX, type List } from "@/lib/platform/lists/list";
import { changeActions } from "@/lib/resources/change";
import { kinds } from "@/lib/resources/kinds";
import { positionOf } from "./position";

export const RETENTION_SECONDS = 7 * 86_400;

export const changeKind = z.enum(kinds.map(({ name }) => name));
export const changeAction = z.enum(changeActions);

export const Change = z
  .object({
    id: idOf("chg"),
    object: objectType("change"),
    kind: changeKind.describe("What kind of resource changed."),
    action: changeAction.describe("What happened to it."),
    resource_id: z.string().describe("The ID of the resource."),
    actor: z
      .string()
      .nullable()
      .describe("The key, person or schedule that did it; null if the service did."),
    created_at: time("When it happened, in Unix seconds."),
  })
  .meta({
    id: "Change",
    examples: [
      {
        id: "chg_00000000004c00000000000Dq",
        action: "completed",
        resource_id: "tsk_034gLHnnT5MH2Sbz6VPrmYvR1q",
        actor: "key_034gLHnnT5MH2Sbz6VPrmYvR1q",
      },
    ],
  });
export type Change = z.infer<typeof Change>;

/** A page of the feed always has a `next_cursor`, for the next request. */
export interface ChangeList extends List<Change> {
  next_cursor: string;
}

/** A position in the feed, as a query parameter or header. */
const after = z
  .string()
  .refine(
    (given) => given === "latest" || positionOf(given) !== undefined,
    "must be `latest`, the ID of a change or the `next_cursor` of a page",
  );

const filters = {
  kind: z.array(changeKind).optional().describe("Only resources of this kind. Repeatable."),
  action: z.array(changeAction).optional().describe("Only these actions. Repeatable."),
};

export const ChangeListQuery = z.object({
  ...filters,
  after: after
    .optional()
    .describe("Only changes after this `next_cursor` or ID. `latest` means now."),
  wait: wait("How many seconds to wait for a change."),
  limit: clampedText(1, LIMIT_MAX)
    .default(LIMIT_DEFAULT)
    .describe(LIMIT)
    .meta({ query: { type: "integer", minimum: 1, maximum: LIMIT_MAX, default: LIMIT_DEFAULT } }),
});
export type ChangeListQuery = z.infer<typeof ChangeListQuery>;

export const ChangeStreamQuery = z.object({
  ...filters,
  after: after
    .optional()
    .describe("Only changes after this `next_cursor` or ID. Default: `latest`."),
});
export type ChangeStreamQuery = z.infer<typeof ChangeStreamQuery>;
