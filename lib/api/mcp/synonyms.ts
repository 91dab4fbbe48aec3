import { memoize } from "@/lib/platform/memoize";
import { endpointId } from "@/lib/resources/webhooks/kind";
import { ownArguments } from "./arguments";
import type { Arguments, Tool } from "./tool";

/** What models call an argument before they have read its name. Undocumented. */
const SYNONYMS: Record<string, readonly string[]> = {
  kind: ["what", "type", "resource"],
  name: ["title"],
  body: ["payload", "data", "event"],
  content: ["text", "markdown", "body"],
  note: ["comment", "notes", "result"],
  limit: ["max"],
  cron: ["schedule"],
  timezone: ["tz"],
  delay_seconds: ["delay"],
  wait: ["wait_seconds", "timeout", "timeout_seconds"],
  wait_seconds: ["wait", "timeout", "timeout_seconds"],
  scheduled_at: ["send_at", "at"],
  due_at: ["due", "due_date"],
  reply_url: ["url"],
  holder: ["worker", "consumer"],
  consumer: ["holder", "worker"],
  label: ["labels"],
  labels: ["label"],
  not_label: ["not_labels"],
  not_labels: ["not_label"],
  state: ["status"],
  status: ["state"],
  blocked_by: ["blocker_id"],
  claim_with: ["claim_token"],
  claim_token: ["token"],
};

const ID =
  /^(task|artifact|document|webhook|endpoint|inbox|message|question|schedule|subscription|event|share|source)_id$/;

/** The parents that `parent_id` may name. */
const PARENT = /^(whe?|inbox|art)_/;

/**
 * The arguments by their own names: a synonym, the ID of a resource as `task_id` or `inbox_id`, and
 * a `kind` in the singular are understood where the tool knows no such argument. `whe_X` means
 * `wh_X`, as in the API.
 */
export function understood(tool: Tool, args: Arguments): Arguments {
  const known = namesOf(tool);
  const result = new Map<string, unknown>();
  const ids: [string, unknown][] = [];
  for (const [name, value] of Object.entries(args)) {
    const own = known.has(name) ? name : synonymOf(name, known, args);
    if (own !== undefined) result.set(own, own === "kind" ? pluralOf(tool, value) : value);
    else if (ID.test(name) && known.has("id")) ids.push([name, value]);
    else result.set(name, value);
  }
  for (const [name, value] of ids) {
    const isParent = known.has("parent_id") && typeof value === "string" && PARENT.test(value);
    const own = isParent && (result.has("id") || ids.length > 1) ? "parent_id" : "id";
    result.set(result.has(own) ? name : own, value);
  }
  for (const name of ["id", "parent_id"]) {
    const id = result.get(name);
    if (typeof id === "string") result.set(name, endpointId(id));
  }
  return Object.fromEntries(result);
}

function synonymOf(name: string, known: ReadonlySet<string>, args: Arguments) {
  return Object.keys(SYNONYMS).find(
    (own) => known.has(own) && args[own] === undefined && SYNONYMS[own]?.includes(name),
  );
}

/** `task` → `tasks`, if that is a value of `kind`. */
function pluralOf({ variants }: Tool, value: unknown): unknown {
  if (typeof value !== "string") return value;
  const forms = [value, `${value}s`, `${value}es`, value.replace(/y$/, "ies")];
  if (/^documents?$/.test(value)) forms.push("artifacts");
  return variants.map(({ when }) => when?.kind).find((one) => forms.includes(String(one))) ?? value;
}

const namesOf = memoize(({ variants }: Tool) => new Set(variants.flatMap(argumentsOf)));

/** The names of a variant's arguments. */
function argumentsOf(variant: Tool["variants"][number]): string[] {
  const { operation, renamed = {} } = variant;
  const { query, body } = operation;
  const fields = [query, body].flatMap((schema) => Object.keys(schema?.shape ?? {}));
  return [
    ...Object.keys(ownArguments(variant).shape),
    ...Object.keys(renamed),
    ...fields.filter((field) => !Object.values(renamed).includes(field)),
  ];
}
