import type { Method, Operation } from "@/lib/platform/http/operation";
import { type Kind, kinds } from "@/lib/resources/kinds";
import { operationOf } from "@/lib/resources/registry";

export type Arguments = Record<string, unknown>;

/** Selects an operation by one argument. */
export type Condition =
  /** The argument has this value or, if the text ends with `_`, is an ID with this prefix. */
  | string
  /** It is given. */
  | true
  /** It is omitted. */
  | null;

/** An operation, and how a tool runs it. */
export interface Variant {
  operation: Operation;
  /** The arguments that select it. */
  when?: Record<string, Condition>;
  /** The arguments of the path parameters, by parameter; by default `id`. */
  ids?: Record<string, string>;
  /** Instead of IDs, the argument with a URL whose path contains the parameters. */
  url?: string;
  /** Fields that the tool gives another name: argument to field. */
  renamed?: Record<string, string>;
  /** The values of omitted arguments. */
  defaults?: Record<string, string | number | boolean>;
  /** Upper bounds lower than the contract's. */
  maximum?: Record<string, number>;
  /** The text from which `offset` selects a part. */
  pages?: string;
  /** Set if an item may not be left out of the result: its lease would be lost. */
  keepsItems?: true;
  /** The parts of the result that third parties sent. */
  untrusted?: string;
}

/** A variant for every kind of resource that has this operation. */
export function ofEveryKind(
  method: Method,
  below: "" | "/{id}",
  selected: (kind: Kind) => Omit<Variant, "operation">,
): Variant[] {
  return kinds.flatMap((kind) => {
    const operation = operationOf(kind.name, method, below);
    return operation ? [{ ...selected(kind), operation }] : [];
  });
}

/** The ID of an event, and that of its webhook endpoint or inbox. */
export const ofEvent = { id: "parent_id", eventId: "id" };
export const PARENT = "Of an event: its webhook endpoint or inbox";

/** Where to find the rest of what was cut. */
export const REST = "get with its ID returns it, a long text in parts from `offset`.";
export const REST_OF_EVENT = "get with an `offset` returns the rest of a body.";

/**
 * A tool of the MCP server: one right, which a client grants by its name. Its schema follows from
 * the contracts of its operations.
 */
export interface Tool {
  name: string;
  /** One line. */
  purpose: string;
  /** Its operations. The first whose conditions are met runs. */
  variants: readonly Variant[];
  /** Descriptions that the contracts do not have, or not as short. */
  words?: Record<string, string>;
  /** Set if it has so many arguments that only these words describe them. */
  terse?: true;
  /** Accepted arguments that the list leaves out. */
  unlisted?: readonly string[];
  /**
   * Calls that succeed. An ID such as `tsk_…` and a value such as `{claim_token}` are those that an
   * earlier call returned.
   */
  examples: readonly Record<string, unknown>[];
  /** Set if the result repeats what the agent has just sent, so that long texts are cut early. */
  echoes?: true;
  /** Where to find the omitted parts. */
  rest?: string;
  /** Set if it asks a person, so that the client itself may ask. */
  asks?: true;
  hints?: { destructive?: boolean; idempotent?: boolean; openWorld?: boolean };
}

export function isPrefix(condition: Condition | undefined): condition is string {
  return typeof condition === "string" && condition.endsWith("_");
}

export function isValue(condition: Condition | undefined): condition is string {
  return typeof condition === "string" && !isPrefix(condition);
}

/** The operation that the tool runs for these arguments; undefined if there is none. */
export function variantFor(tool: Tool, args: Arguments): Variant | undefined {
  return tool.variants.find(({ when = {} }) =>
    Object.entries(when).every(([name, condition]) => isMet(condition, args[name])),
  );
}

/** Null counts as omitted: models send it for what they leave out. */
export function isMet(condition: Condition, given: unknown): boolean {
  const isGiven = given !== undefined && given !== null;
  if (condition === null) return !isGiven;
  if (condition === true) return isGiven;
  return isPrefix(condition)
    ? typeof given === "string" && given.startsWith(condition)
    : given === condition;
}

/** The argument with the seconds to wait; undefined if the operation does not wait. */
export function waitArgument({ operation: { query, body } }: Variant): string | undefined {
  return ["wait", "wait_seconds"].find((name) => name in { ...query?.shape, ...body?.shape });
}

/** The arguments of the path parameters, by parameter. */
export function idsOf({ operation, ids, url }: Variant): Record<string, string> {
  if (url !== undefined) return {};
  return ids ?? (operation.path.includes("{id}") ? { id: "id" } : {});
}
