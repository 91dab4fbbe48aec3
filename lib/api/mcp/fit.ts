import type { JsonSchema } from "@/lib/platform/http/json-schema";
import { isObject } from "@/lib/platform/http/request";
import { truncateJson } from "@/lib/platform/truncate";

/** The length of a tool result, with its text and its structured content, as JSON. */
export const RESULT_CHARACTERS_MAX = 20_000;
/** Reserved for what the SDK adds to a result. */
const ENVELOPE_CHARACTERS = 500;
/** Texts that an agent must return, such as IDs and tokens, are never longer. */
const TEXT_CHARACTERS_MIN = 200;
/** The minimum where no item may be dropped, so that even the five largest events of an inbox fit. */
const KEPT_ITEM_TEXT_CHARACTERS_MIN = 60;
/** Notes about cuts in one result. */
const NOTES_MAX = 6;

type Json = Record<string, unknown>;

interface Page {
  /** The text from which `offset` selects a part. */
  pages?: string | undefined;
  offset: number;
  /** The longest text to show. */
  textMax?: number;
  /** Whether texts become shorter before an item is dropped, since nothing else has its ID. */
  keepsItems?: boolean | undefined;
  warning?: string | undefined;
  /** Where to find the omitted parts. */
  rest?: string | undefined;
}

/**
 * Shortens the result's texts, keeping their beginnings, until it fits into a tool result.
 * `warning` and `cut` name what not to trust and what is missing. The result still matches the
 * schema.
 */
export function fit(result: Json, schema: JsonSchema, page: Page): Json {
  const begun = beginAt(result, page);
  const noted = (shown: Json): Json => {
    const cut = notesOf(result, shown, page);
    const { warning } = page;
    return { ...(warning && { warning }), ...(cut.length > 0 && { cut }), ...shown };
  };
  // Notes only add length, so it is checked without them first.
  const fitsWithNotes = (shown: Json) => fits(shown) && fits(noted(shown));
  const textMin = page.keepsItems ? KEPT_ITEM_TEXT_CHARACTERS_MIN : TEXT_CHARACTERS_MIN;
  let textMax = page.textMax ?? RESULT_CHARACTERS_MAX / 2; // a result has each text twice
  let shown = shrunk(begun, schema, textMax);
  while (!fitsWithNotes(shown) && textMax > textMin) {
    const longer = shown;
    textMax = Math.max(Math.ceil(textMax / 2), textMin);
    shown = shrunk(longer, schema, textMax);
    if (!fits(shown)) continue; // even without notes
    const between = shrunk(longer, schema, Math.ceil(textMax * 1.5));
    if (fitsWithNotes(between)) shown = between;
  }
  return noted(fitsWithNotes(shown) ? shown : withFewerItems(shown, fitsWithNotes));
}

/** The content of a tool result. The text is for clients that ignore structured content. */
export function toolContent(structured: Json) {
  const text = JSON.stringify(structured);
  return { content: [{ type: "text" as const, text }], structuredContent: structured };
}

function fits(structured: Json): boolean {
  const max = RESULT_CHARACTERS_MAX - ENVELOPE_CHARACTERS;
  // The content has it twice.
  if (JSON.stringify(structured).length > max / 2) return false;
  return JSON.stringify(toolContent(structured)).length <= max;
}

function beginAt(result: Json, { pages, offset }: Page): Json {
  const text = pages === undefined ? undefined : result[pages];
  if (pages === undefined || typeof text !== "string" || offset === 0) return result;
  return { ...result, [pages]: text.slice(startOf(text, offset)) };
}

/** Avoids starting inside a surrogate pair. */
function startOf(text: string, offset: number): number {
  const code = text.charCodeAt(offset);
  return code >= 0xdc00 && code <= 0xdfff ? offset + 1 : Math.min(offset, text.length);
}

/** Shortens what is longer than `max` characters of JSON, within the schema. */
function shrunk<Value>(value: Value, schema: JsonSchema, max: number): Value;
function shrunk(value: unknown, schema: JsonSchema, max: number): unknown {
  if (typeof value === "string") return truncateJson(value, max, "characters");
  if (typeof value !== "object" || value === null) return value;
  const { properties, items, additionalProperties, type } = branchOf(value, schema);
  if (Array.isArray(value)) {
    if (isSchema(items) && items.type !== "string") {
      return value.map((item) => shrunk(item, items, max));
    }
    return withinLength(value, max);
  }
  if (properties) {
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => {
        const own = properties[name];
        return [name, shrunk(inner, isSchema(own) ? own : {}, max)];
      }),
    );
  }
  if (JSON.stringify(value).length <= max) return value;
  if (type !== "object") return null; // of any type
  const entries = Object.entries(value);
  if (isSchema(additionalProperties)) return Object.fromEntries(withinLength(entries, max));
  const short = entries.map(([name, inner]) => [name, shrunk(inner, {}, max)]);
  return Object.fromEntries(withinLength(short, max));
}

/** The alternative of the schema that has the value's properties. */
function branchOf(value: object, schema: JsonSchema): JsonSchema {
  if (!schema.anyOf || Array.isArray(value)) return schema;
  const branches = schema.anyOf.filter(isSchema);
  const names = Object.keys(value);
  return (
    branches.find(({ properties = {} }) =>
      names.every((name) => Object.hasOwn(properties, name)),
    ) ??
    branches.find(({ type }) => type === "object") ??
    schema
  );
}

function isSchema(schema: unknown): schema is JsonSchema {
  return isObject(schema);
}

/** As many leading items as fit into `max` characters of JSON. */
function withinLength<Item>(items: Item[], max: number): Item[] {
  let length = 0;
  const end = items.findIndex((item) => {
    length += JSON.stringify(item).length;
    return length > max;
  });
  return end === -1 ? items : items.slice(0, end);
}

/** Drops as few items as possible until the result fits. */
function withFewerItems(result: Json, fitsWithNotes: (shown: Json) => boolean): Json {
  const shorter: Json[] = [];
  for (let next = withoutLastItem(result); next; next = withoutLastItem(next)) shorter.push(next);
  let [from, to] = [0, shorter.length];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    if (fitsWithNotes(shorter[middle] ?? {})) to = middle;
    else from = middle + 1;
  }
  const shown = shorter[to];
  if (!shown) throw new Error("A tool result without items is too long.");
  return shown;
}

/**
 * Drops the last item of the longest array; undefined if there is none. A list then continues after its
 * last item.
 */
function withoutLastItem(result: Json): Json | undefined {
  const arrays = Object.entries(result).filter(
    (entry): entry is [string, unknown[]] => Array.isArray(entry[1]) && entry[1].length > 0,
  );
  const [longest] = arrays.sort(([, a], [, b]) => b.length - a.length);
  if (!longest) return undefined;
  const [name, items] = longest;
  const kept = items.slice(0, -1);
  const last: unknown = kept.at(-1);
  const isList = name === "data" && "next_cursor" in result && isSchema(last);
  return {
    ...result,
    [name]: kept,
    ...(isList && { has_more: true, next_cursor: Object(last).id }),
  };
}

/** Describes the parts of `whole` that were omitted, and where to find them. */
function notesOf(whole: Json, shown: Json, { pages, offset, rest }: Page): string[] {
  const notes: string[] = [];
  const paged = pages === undefined ? undefined : whole[pages];
  if (pages !== undefined && typeof paged === "string") {
    const start = offset === 0 ? 0 : startOf(paged, offset);
    const end = start + String(shown[pages]).length;
    if (start > 0 || end < paged.length) {
      const more = end < paged.length ? ` Call again with \`offset\` ${end} for more.` : "";
      notes.push(`${pages}: characters ${start} to ${end} of ${paged.length}.${more}`);
    }
  }
  const others = differences(whole, shown, "").filter(({ path }) => path !== pages);
  notes.push(...others.slice(0, NOTES_MAX).map(({ path, what }) => `${path}: ${what}`));
  if (others.length > NOTES_MAX) notes.push(`${others.length - NOTES_MAX} more places.`);
  if (others.length > 0 && rest !== undefined) notes.push(rest);
  return notes;
}

interface Difference {
  path: string;
  what: string;
}

function differences(whole: unknown, shown: unknown, path: string): Difference[] {
  if (whole === shown || path === "next_cursor" || path === "has_more") return [];
  if (typeof whole === "string" && typeof shown === "string") {
    return [{ path, what: `${shown.length} of ${whole.length} characters` }];
  }
  if (!isContainer(whole)) return [];
  if (!isContainer(shown)) return [{ path, what: "left out" }];
  const inner = Object.keys(shown).flatMap((name) =>
    differences(Object(whole)[name], Object(shown)[name], path === "" ? name : `${path}.${name}`),
  );
  const [all, left] = [sizeOf(whole), sizeOf(shown)];
  if (all === left) return inner;
  return [{ path, what: `${left} of ${all} items` }, ...inner];
}

/** The keys of an array with a million items would be a million texts. */
function sizeOf(container: object): number {
  return Array.isArray(container) ? container.length : Object.keys(container).length;
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
