import { isGuarded } from "@/lib/api/statuses";
import { KEY_LENGTH_MAX } from "@/lib/platform/http/idempotency";
import type { JsonSchema } from "@/lib/platform/http/json-schema";
import { createsClaimable, type Operation } from "@/lib/platform/http/operation";
import type { SchemaCollection } from "./schemas";

export type ParameterList = (Parameter | { $ref: string })[];

interface WithParameters {
  parameters?: ParameterList;
}

interface Parameter {
  name: string;
  in: string;
  schema: unknown;
}

/** The path, query and header parameters of an operation. */
export function parametersOf(
  operation: Operation,
  all: readonly Operation[],
  schemas: SchemaCollection,
): ParameterList {
  return [
    ...pathParameters(operation),
    ...queryParameters(operation, schemas),
    ...headerParameters(operation, isGuarded(operation, all)),
  ];
}

/** Moves parameters that all operations of a path share to the path. */
export function withCommonParameters(item: Record<string, WithParameters>): object {
  const lists = Object.values(item).map(({ parameters = [] }) => parameters);
  const texts = lists.map((list) => list.map((one) => JSON.stringify(one)));
  const isCommon = (one: object) => texts.every((list) => list.includes(JSON.stringify(one)));
  const common = (lists[0] ?? []).filter(isCommon);
  if (lists.length < 2 || common.length === 0) return item;
  const rest = Object.entries(item).map(([method, { parameters = [], ...described }]) => {
    const own = parameters.filter((one) => !isCommon(one));
    return [method, { ...described, ...(own.length > 0 && { parameters: own }) }];
  });
  return { parameters: common, ...Object.fromEntries(rest) };
}

/**
 * The parameter components: what several operations share, whose uses become references. A response is
 * repeated for `repeatHours`; the reference of the documentation says the default.
 */
export function shareParameters(
  operations: readonly WithParameters[],
  repeatHours = 24,
): Record<string, object> {
  const lists = operations.flatMap(({ parameters }) => (parameters ? [parameters] : []));
  const uses = new Map<string, number>();
  for (const parameter of lists.flat()) {
    const text = JSON.stringify(parameter);
    uses.set(text, (uses.get(text) ?? 0) + 1);
  }
  const shared: Record<string, Parameter> = {};
  for (const list of lists) {
    for (const [index, parameter] of list.entries()) {
      const text = JSON.stringify(parameter);
      if (!("name" in parameter) || (uses.get(text) ?? 0) < 2) continue;
      shared[parameter.name] ??= parameter;
      if (JSON.stringify(shared[parameter.name]) === text) {
        list[index] = { $ref: `#/components/parameters/${parameter.name}` };
      }
    }
  }
  return { ...sharedHeaders(repeatHours), ...shared };
}

function pathParameters({ path }: Operation) {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) =>
    parameter(name, "path", true, { type: "string", description: PATH_PARAMETERS[name] }),
  );
}

const PATH_PARAMETERS: Record<string, string> = {
  id: "The ID of the resource.",
  external_id: "Your own ID for the resource.",
  blockerId: "The ID of the task or question that blocks it.",
  eventId: "The ID of the event.",
  replayId: "The ID of the bulk replay.",
  shareId: "The ID of the share link.",
  n: "The number of the version.",
  secret: "The secret part of the reply URL.",
  token: "The secret part of the share link.",
  part: "A tag in lower case, and `.json`.",
};

function queryParameters({ query }: Operation, schemas: SchemaCollection) {
  if (!query) return [];
  const { properties = {}, required = [] } = schemas.describe(query, "input");
  return Object.entries(properties).map(([name, property]) =>
    parameter(name, "query", required.includes(name), typeof property === "object" ? property : {}),
  );
}

function parameter(name: string, place: string, required: boolean, property: JsonSchema) {
  const { description, query: asQuery, ...schema } = property;
  return {
    name,
    in: place,
    ...(required && { required }),
    ...(description !== undefined && { description }),
    schema: asQuery ?? schema,
  };
}

const sharedHeaders = (repeatHours: number) => ({
  "Idempotency-Key": headerParameter(
    "Idempotency-Key",
    `A new UUID (or 1 to ${KEY_LENGTH_MAX} printable ASCII characters). A repeat with the same body returns the same response for ${repeatHours} hours.`,
  ),
  "Claim-With": headerParameter(
    "Claim-With",
    "The `claim_token` of an earlier create. It then claims what you create without a key; a claim keeps what you change.",
  ),
  "If-None-Match": headerParameter("If-None-Match", "An ETag: 304 if unchanged."),
  "If-Match": headerParameter("If-Match", "An ETag: 412 if the resource has changed."),
  Prefer: headerParameter(
    "Prefer",
    "`return=minimal` leaves out what you have: an artifact's `content`; an event's `headers`, `query_params`, `body` and `parsed_body`.",
  ),
  Range: headerParameter("Range", "A byte range, such as `bytes=0-99`."),
});

function headerParameter(name: string, description: string) {
  return { name, in: "header", description, schema: { type: "string" } };
}

function headerParameters(operation: Operation, guarded: boolean) {
  const { conditional, ranges, repeatable } = operation;
  const names = [
    ...(repeatable ? ["Idempotency-Key"] : []),
    ...(createsClaimable(operation) || operation.takesClaimToken ? ["Claim-With"] : []),
    ...(conditional || ranges ? ["If-None-Match"] : []),
    ...(ranges ? ["Range"] : []),
    ...(guarded || ranges ? ["If-Match"] : []),
    ...(operation.minimal ? ["Prefer"] : []),
  ];
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}
