import type { Operation } from "@/lib/platform/http/operation";

/** An operation, and how a tool runs it. */
export interface Variant {
  operation: Operation;
  /** The arguments of the path parameters, by parameter. */
  ids?: Record<string, string>;
  /** Instead of IDs, the argument with a URL whose path contains the parameters. */
  url?: string;
  /** The argument with the seconds to wait. */
  waits?: string;
  /** The text from which `offset` selects a part. */
  pages?: string;
  /** The parts of the result that third parties sent. */
  untrusted?: string;
}

/** Where to find the rest of an event that was cut. */
export const REST_OF_EVENT = "get with an `offset` returns the rest of a body.";

/** A tool of the MCP server. Its schemas follow from the contracts of its operations. */
export interface Tool extends Variant {
  name: string;
  /** One line. */
  purpose: string;
  /** Other operations, selected by an argument. */
  choice?: Choice;
  /** The values of omitted arguments. */
  defaults?: Record<string, string | number | boolean>;
  /** Upper bounds lower than the contract's. */
  maximum?: Record<string, number>;
  /** Arguments that are valid. */
  example: Record<string, unknown>;
  /** Set if the result repeats what the agent has just sent, so that long texts are cut early. */
  echoes?: true;
  /** Where to find the omitted parts. */
  rest?: string;
  hints?: { destructive?: boolean; idempotent?: boolean; openWorld?: boolean };
}

/** The keys are values of the argument, or ID prefixes such as `tsk_`. */
interface Choice {
  argument: string;
  /** The key of the tool's own operation. Without one, it runs when the argument is omitted. */
  own?: string;
  /** The tool's own operation runs when the argument is omitted, even though it has a key. */
  isOptional?: true;
  others: Record<string, Variant>;
}

/** The operations that a tool can run: its own, then the others. */
export function variantsOf(tool: Tool): Variant[] {
  return [tool, ...Object.values(tool.choice?.others ?? {})];
}

/** The values of a choice's argument, or the prefixes of its IDs. */
export function keysOf({ own, others }: Choice): string[] {
  return [...(own === undefined ? [] : [own]), ...Object.keys(others)];
}

export function isPrefix(key: string): boolean {
  return key.endsWith("_");
}

/** The operation that the tool runs for these arguments; undefined if there is none. */
export function variantFor(tool: Tool, args: Record<string, unknown>): Variant | undefined {
  const { choice } = tool;
  if (!choice) return tool;
  const given = args[choice.argument];
  if (given === undefined || given === null) return tool;
  const key = keysOf(choice).find((key) =>
    isPrefix(key) ? typeof given === "string" && given.startsWith(key) : given === key,
  );
  if (key === undefined) return undefined;
  return Object.hasOwn(choice.others, key) ? choice.others[key] : tool;
}
