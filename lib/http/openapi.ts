import { z } from "zod";
import { scopes } from "@/lib/accounts/caller";
import { config } from "@/lib/config";
import service from "@/package.json" with { type: "json" };
import { errorTypes } from "./errors";
import type { Operation } from "./operation";

/** The OpenAPI 3.1 description of these operations, made from the schemas that validate them. */
export function openApiDocument(operations: readonly Operation[]) {
  const paths: Record<string, Record<string, unknown>> = {};
  const tagged = new Set(
    operations.filter(({ conditional }) => conditional).map(({ path }) => path),
  );
  for (const operation of operations) {
    paths[operation.path] ??= {};
    const guarded = isChange(operation) && tagged.has(operation.path);
    Object.assign(paths[operation.path] ?? {}, {
      [operation.method.toLowerCase()]: describeOperation(operation, guarded),
    });
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Agent Infrastructure",
      version: service.version,
      description:
        "Task lists, webhook capture, documents, delayed requests and inboxes for AI agents. A key is optional: without one, what you create is public to those who know its ID, and you get a claim token.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: config().baseUrl }],
    paths,
    components: {
      securitySchemes: {
        apiKey: {
          type: "http",
          scheme: "bearer",
          description: `An API key, svc_live_…, with the scopes ${scopes.join(", ")}.`,
        },
      },
      schemas: { Error: jsonSchema(ErrorEnvelope, "output") },
    },
  };
}

const ErrorEnvelope = z.object({
  error: z.object({
    type: z.enum(errorTypes),
    code: z.string(),
    message: z.string(),
    param: z.string().nullable(),
    request_id: z.string(),
  }),
});

function isChange({ method }: Operation): boolean {
  return method === "PATCH" || method === "DELETE";
}

/** `guarded`: it honours `If-Match`, as what it changes is read with an ETag. */
function describeOperation(operation: Operation, guarded: boolean) {
  const { id, summary, description, tag, success } = operation;
  const parameters = [
    ...pathParameters(operation),
    ...queryParameters(operation),
    ...headerParameters(operation, guarded),
  ];
  const content = success.contentType
    ? { [success.contentType]: { schema: { type: "string" } } }
    : success.schema && { "application/json": { schema: jsonSchema(success.schema, "output") } };
  const answer = { description: summary, ...(content && { content }) };
  return {
    operationId: id,
    summary,
    ...(description !== undefined && { description }),
    tags: [tag],
    security: SECURITY[operation.auth],
    ...(parameters.length > 0 && { parameters }),
    ...requestBody(operation),
    responses: {
      [success.status]: answer,
      ...(operation.repeated && { 200: { ...answer, description: "It is here already" } }),
      ...(operation.conditional && { 304: { description: "Unchanged since If-None-Match" } }),
      ...Object.fromEntries(failuresOf(operation, guarded).map((status) => [status, FAILURE])),
    },
  };
}

function requestBody({ body, rawBody, bodyOptional }: Operation) {
  if (!body && !rawBody) return {};
  const type = rawBody?.contentType ?? "application/json";
  const schema = jsonSchema(body ?? rawBody?.schema ?? z.string(), "input");
  return { requestBody: { required: !bodyOptional, content: { [type]: { schema } } } };
}

const FAILURE = {
  description: "An error",
  content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
};

/** How an operation may fail, as far as its declaration tells. */
function failuresOf(operation: Operation, guarded: boolean): (number | "default")[] {
  const { auth, scope, path, subpaths, query, body, rawBody, bodyOptional } = operation;
  const statuses: [boolean, number][] = [
    [query !== null || body !== null || (rawBody !== undefined && !bodyOptional), 400],
    [auth !== "ignored", 401],
    [scope !== null || auth === "required", 403],
    [path.includes("{") && !subpaths, 404], // what has everything below it takes everything
    [operation.repeatable, 409],
    [guarded, 412],
    [body !== null, 413],
    [operation.repeatable, 422],
  ];
  return [...statuses.filter(([applies]) => applies).map(([, status]) => status), "default"];
}

const SECURITY = { optional: [{}, { apiKey: [] }], required: [{ apiKey: [] }], ignored: [] };

function pathParameters({ path }: Operation) {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
}

function queryParameters({ query }: Operation) {
  if (!query) return [];
  const { properties = {}, required = [] } = jsonSchema(query, "input");
  return Object.entries(properties).map(([name, property]) => {
    const { description, query: asQuery, ...schema } = typeof property === "object" ? property : {};
    return {
      name,
      in: "query",
      required: required.includes(name),
      ...(description !== undefined && { description }),
      schema: asQuery ?? schema,
    };
  });
}

function headerParameters(operation: Operation, guarded: boolean) {
  const names = operation.repeatable
    ? ["Idempotency-Key"]
    : operation.conditional
      ? ["If-None-Match"]
      : guarded
        ? ["If-Match"]
        : [];
  return names.map((name) => ({ name, in: "header", required: false, schema: { type: "string" } }));
}

function jsonSchema(schema: z.ZodType, io: "input" | "output") {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, target: "draft-2020-12" });
  return rest;
}
