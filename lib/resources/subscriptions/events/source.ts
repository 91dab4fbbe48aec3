import type * as z from "zod";
import type { CallerWait } from "@/lib/identity/credential";
import type { Caller } from "@/lib/platform/caller";
import type { InTurn } from "@/lib/platform/limits/search-gate";

/** Something that happened, as a client of MCP Events gets it. */
export interface Occurrence {
  /** Does not change when the event is read again, so that clients recognize repeats. */
  eventId: string;
  /** In Unix seconds. */
  at: number;
  data: Record<string, unknown>;
  /** The position after it. */
  cursor: string;
}

export interface OccurrencePage {
  events: Occurrence[];
  /** Where to continue, even if there are no events. */
  cursor: string;
  hasMore: boolean;
  /** The position up to which events had been removed when it was read, if any can be. */
  start?: string | undefined;
  /** The milliseconds until something may come that no pulse shows. */
  nextInMs?: number | null;
}

/** Whose subscription it is, and what it asks for. */
export interface Watched<Arguments> {
  organizationId: string;
  args: Arguments;
}

/** A type of event: what its arguments and payload are, and how it is read. */
export interface EventSource<Arguments = unknown> {
  name: string;
  description: string;
  input: z.ZodObject;
  payload: z.ZodObject;
  /** Whether it is about the caller's organization, so that it needs a key. */
  needsKey(args: Arguments): boolean;
  /** The webhook endpoint whose streams count together. */
  endpointOf?(args: Arguments): string;
  /** Whether reading takes long, so that polls and streams wait for their turn. */
  searches?(args: Arguments): boolean;
  /**
   * Reads with one statement a text for each of many subscriptions, in order. The text changes when there may be
   * something to read, or the resource has another owner.
   */
  pulses(watched: readonly Watched<Arguments>[]): Promise<string[]>;
  /** The position of now. Throws 404 and 403. */
  start(caller: Caller, args: Arguments): Promise<string>;
  /**
   * The position to continue from: the cursor's or, if later events have been deleted, the next one
   * that can be read. Undefined if the text is not a cursor of this source.
   */
  resume(caller: Caller, args: Arguments, cursor: string): Promise<string | undefined>;
  /**
   * The events after a position, oldest first. With `wait`, waits for one; the page may be empty
   * sooner, and the caller reads on. While it waits, each read runs `inTurn`. Throws 404 and 403, and
   * 401 once the credential has ended.
   */
  read(
    caller: Caller,
    args: Arguments,
    cursor: string,
    asked: { limit: number; wait?: CallerWait & { inTurn: InTurn } },
  ): Promise<OccurrencePage>;
}

/** Declares a source, whose arguments have been validated by `input`. */
export function eventSource<Input extends z.ZodObject>(
  source: { input: Input } & EventSource<z.output<Input>>,
): EventSource {
  // Safe: `argumentsFor` validates the arguments before they reach the source.
  return source as unknown as EventSource;
}

/** An event as the protocol has it, without its cursor. */
export function occurrenceOf(name: string, { eventId, at, data }: Occurrence) {
  return { eventId, name, timestamp: new Date(at * 1000).toISOString(), data };
}
