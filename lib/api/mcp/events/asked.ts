import { ProtocolError } from "@modelcontextprotocol/server";
import * as z from "zod";
import { assertScope } from "@/lib/api/perform";
import type { Caller } from "@/lib/platform/caller";
import { quote } from "@/lib/platform/errors";
import { wordList } from "@/lib/platform/http/issue-message";
import { validate } from "@/lib/platform/http/validation";
import { type InTurn, searchGate } from "@/lib/platform/limits/search-gate";
import { type Asked, eventSources } from "@/lib/resources/subscriptions/events/sources";
import { EVENT_ERRORS } from "./errors";

/** Who asks. */
export interface Client {
  caller: Caller;
  clientAddress: string | null;
}

/** What every request for events has: a type, what to filter, and where to start. */
export const eventFields = {
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()).nullable().optional(),
  cursor: z.string().max(200).nullable().optional(),
  maxAgeMs: z.int().min(0).nullable().optional(),
};

/** The members of a request, without those of the protocol. Throws 400. */
export function paramsOf<Schema extends z.ZodObject>(
  schema: Schema,
  { _meta, ...params }: Record<string, unknown>,
): z.output<Schema> {
  return validate(schema, params);
}

/**
 * The type of event and its arguments. Throws the protocol's error for an event that does not
 * exist, 400 for the arguments, and 403 for a key that may not read.
 */
export function askedFor(
  caller: Caller,
  { name, arguments: args }: Pick<z.output<z.ZodObject<typeof eventFields>>, "name" | "arguments">,
): Asked {
  assertScope({ scope: "api.read", auth: "optional" }, caller);
  const source = eventSources.find((one) => one.name === name);
  if (!source) {
    const names = wordList(
      eventSources.map((one) => one.name),
      "and",
    );
    const message = `There is no event ${quote(name)}, but ${names}.`;
    throw new ProtocolError(EVENT_ERRORS.notFound, message, { kind: "event" });
  }
  return { source, args: validate(source.input, args ?? {}) };
}

/** Runs each read of a request in a search turn, if its source says that reads take long. */
export function turnsFor(
  { clientAddress: address }: Client,
  { source, args }: Asked,
  more: { signal?: AbortSignal; isUnderWay?: boolean } = {},
): InTurn {
  return (read) =>
    source.searches?.(args) ? searchGate().run({ address, ...more }, read) : read();
}
