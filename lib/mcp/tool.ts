import type { Operation } from "@/lib/http/operation";

/** A tool of the MCP server. Its schemas follow from the contracts of its operations. */
export interface Tool {
  name: string;
  /** One line. */
  purpose: string;
  operation: Operation;
  /** Used instead for an event whose ID has this prefix. */
  alternative?: { prefix: string; operation: Operation };
  /** The arguments of the path parameters, by parameter. */
  ids?: Record<string, string>;
  /** Used for arguments left out. */
  defaults?: Record<string, string | number | boolean>;
  /** Upper bounds below those of the contract. */
  maximum?: Record<string, number>;
  /** Arguments that are valid. */
  example: Record<string, unknown>;
  /** The argument that says how many seconds to wait. */
  waits?: string;
  /** The text of which `offset` selects a part. */
  pages?: string;
  /** It returns what the agent has just sent, so long texts are cut early. */
  echoes?: true;
  /** Parts of the result that others have sent. */
  untrusted?: string;
  /** Where to find what was cut. */
  rest?: string;
  hints?: { destructive?: boolean; idempotent?: boolean; openWorld?: boolean };
}

/** The operations that a tool may run. */
export function operationsOf({ operation, alternative }: Tool): Operation[] {
  return [operation, alternative?.operation ?? []].flat();
}
