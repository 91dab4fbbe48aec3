import * as z from "zod";
import { clampedText, externalIdFilter, objectType, text } from "@/lib/platform/http/fields";
import { toJson } from "@/lib/platform/http/json-text";

export const LIMIT_DEFAULT = 20;
export const LIMIT_MAX = 100;

export const LIMIT = "The number of items, clamped to the bounds.";
export const AFTER = "The ID of the previous page's last item. It may have been deleted.";

/** The query parameters of every list; its items' IDs have one of the prefixes. */
export function listQuery(...prefixes: [string, ...string[]]) {
  return z.object({
    limit: clampedText(1, LIMIT_MAX)
      .default(LIMIT_DEFAULT)
      .describe(LIMIT)
      .meta({ query: { type: "integer", minimum: 1, maximum: LIMIT_MAX, default: LIMIT_DEFAULT } }),
    after: after(...prefixes)
      .optional()
      .describe(AFTER),
    include: text()
      .refine(
        (names) => names.split(",").every((name) => ["total_count", ""].includes(name)),
        'must be "total_count"',
      )
      .optional()
      .describe("`total_count` adds the total number of items; slow for long lists.")
      .meta({ query: { type: "string", enum: ["total_count"] } }),
  });
}

/** The query parameters of a list of resources; `prefix` is that of their IDs. */
export function resourceListQuery(prefix: string) {
  return listQuery(prefix).extend({ external_id: externalIdFilter });
}

/** The ID of an item, which may have been deleted. */
export function after(...prefixes: [string, ...string[]]) {
  return text().refine(
    (id) => prefixes.some((prefix) => id.startsWith(`${prefix}_`)),
    `must be an ID that begins with ${prefixes.map((prefix) => `${prefix}_`).join(" or ")}`,
  );
}

export type ListQuery = z.infer<ReturnType<typeof listQuery>>;

export interface List<Item> {
  object: "list";
  data: Item[];
  has_more: boolean;
  next_cursor: string | null;
  total_count?: number;
}

/** The published shape of a list of `item`. */
export function listOf<Item extends z.ZodType>(item: Item) {
  return z.object({
    object: objectType("list"),
    data: z.array(item).describe("The items."),
    has_more: z.boolean().describe("Whether another page follows."),
    next_cursor: z
      .string()
      .nullable()
      .describe("The `after` of the next page; null after the last."),
    total_count: z.int().optional().describe("The count, with `include=total_count`."),
  });
}

/** One row more than the page shows, to learn whether there are more. */
export function rowsToRead(query: ListQuery): number {
  return query.limit + 1;
}

export function wantsTotal(query: Pick<ListQuery, "include">): boolean {
  return query.include?.split(",").includes("total_count") ?? false;
}

/**
 * Builds a page from the serialized rows of `rowsToRead`. Ends early at 4 MB. `found` counts also
 * the rows that the statement left out because the others are long.
 */
export function page<Item extends { id: string }>(
  items: Item[],
  query: ListQuery,
  totalCount?: number,
  found = items.length,
): List<Item> {
  const data = withinBudget(items.slice(0, query.limit));
  const hasMore = found > data.length;
  return {
    object: "list",
    data,
    has_more: hasMore,
    next_cursor: hasMore ? (data.at(-1)?.id ?? null) : null,
    ...(totalCount !== undefined && { total_count: totalCount }),
  };
}

export function emptyList(query: ListQuery): List<never> {
  return page([], query, wantsTotal(query) ? 0 : undefined);
}

/** Bounds the memory of a page: a hundred of the longest texts would exhaust it. */
export const PAGE_BYTES_MAX = 4_000_000;

/** As many items as fit the budget, but at least one. */
function withinBudget<Item>(items: Item[]): Item[] {
  let size = 0;
  const end = items.findIndex((item, index) => {
    size += Buffer.byteLength(toJson(item));
    return index > 0 && size > PAGE_BYTES_MAX;
  });
  return end === -1 ? items : items.slice(0, end);
}
