import { isList, JSON_LINES } from "@/lib/api/export";
import { failuresOf, isGuarded } from "@/lib/api/statuses";
import { tagOf } from "@/lib/api/tags";
import { createsClaimable, isCreate, type Operation } from "@/lib/platform/http/operation";
import { type ParameterList, parametersOf } from "./parameters";
import { headerReferences, responseReference } from "./responses";
import type { SchemaCollection } from "./schemas";

interface Document {
  all: readonly Operation[];
  schemas: SchemaCollection;
  isPart: boolean;
}

export interface DescribedOperation {
  operationId: string;
  tags: string[];
  parameters?: ParameterList;
  responses: Record<string, object>;
}

/** Describes an operation in the document, and adds its schemas to the document's. */
export function describeOperation(
  operation: Operation,
  document: Document,
): DescribedOperation & Record<string, unknown> {
  const { all, schemas } = document;
  const { id, summary, description } = operation;
  const parameters = parametersOf(operation, all, schemas);
  return {
    operationId: id,
    summary,
    ...(description !== undefined && { description }),
    tags: [tagOf(operation)],
    ...securityOf(operation),
    ...(parameters.length > 0 && { parameters }),
    ...requestBody(operation, schemas),
    responses: {
      ...successes(operation, document),
      ...Object.fromEntries(
        failuresOf(operation, all).map((status) => [status, failureOf(operation, status, schemas)]),
      ),
      ...(operation.success.status === 303 && { default: responseReference(503) }),
    },
  };
}

function failureOf({ failureSchema }: Operation, status: number, schemas: SchemaCollection) {
  if (!failureSchema) return responseReference(status);
  const schema = schemas.describe(failureSchema, "output");
  return { description: "See `error`.", content: { "application/json": { schema } } };
}

function securityOf({ auth, dispatchSecret }: Operation) {
  if (auth === "required") return { security: [{ apiKey: [] }] };
  if (auth === "ignored") return { security: dispatchSecret ? [{}, { dispatchSecret: [] }] : [] };
  return {}; // the document's default
}

function successes(operation: Operation, document: Document) {
  const { method, success, conditional, ranges, repeatable, repeated } = operation;
  const tagged =
    conditional ||
    ranges ||
    success.orCreated ||
    success.location ||
    createsClaimable(operation) ||
    (method === "PATCH" && isGuarded(operation, document.all));
  const names = [
    ...(tagged ? ["ETag"] : []),
    ...(isCreate(operation) || success.location || success.status === 303 ? ["Location"] : []),
    ...(repeatable ? ["Idempotency-Replayed"] : []),
    ...(operation.minimal ? ["Preference-Applied"] : []),
  ];
  const response = {
    description: MEANINGS[success.status] ?? "Success",
    ...(names.length > 0 && { headers: headerReferences(...names) }),
    ...responseContent(operation, document),
  };
  return {
    [success.status]: success.status === 204 ? responseReference(204) : response,
    ...(repeated && { 200: { ...response, description: "Already received." } }),
    ...(success.orCreated && {
      201: {
        ...response,
        description: "Created.",
        headers: headerReferences("ETag", "Location"),
      },
    }),
    ...(success.orNothing && { 204: responseReference(204) }),
    ...(ranges && { 206: { ...response, description: "The requested range." } }),
    ...((conditional || ranges) && { 304: responseReference(304) }),
  };
}

const MEANINGS: Record<number, string> = { 200: "OK", 201: "Created", 303: "See other" };

function responseContent(operation: Operation, { schemas, isPart }: Document) {
  const { contentType, schema } = operation.success;
  if (contentType) {
    return { content: { [contentType]: { schema: { type: "string" } } } };
  }
  if (!schema) return {};
  const described = schemas.describe(schema, "output");
  const isExported = isPart && isList(operation);
  return {
    content: {
      "application/json": { schema: described },
      ...(isExported && { [JSON_LINES]: { schema: { type: "string" } } }),
    },
  };
}

function requestBody(operation: Operation, schemas: SchemaCollection) {
  const { body, rawBody, bodyOptional } = operation;
  if (!body && !rawBody) return {};
  const type = rawBody?.contentType ?? "application/json";
  const schema = body ?? rawBody?.schema;
  return {
    requestBody: {
      required: !bodyOptional,
      content: {
        [type]: {
          schema: schema ? schemas.describe(schema, "input") : { type: "string" },
        },
      },
    },
  };
}
