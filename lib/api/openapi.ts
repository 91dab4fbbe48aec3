import { scopes } from "@/lib/caller";
import { ErrorEnvelope } from "@/lib/http/error-envelope";
import { isCreate, type Operation } from "@/lib/http/operation";
import service from "@/package.json" with { type: "json" };
import {
  type ParameterList,
  parametersOf,
  shareParameters,
  withCommonParameters,
} from "./openapi-parameters";
import {
  headerComponents,
  headerReferences,
  responseComponents,
  responseReference,
} from "./openapi-responses";
import { SchemaCollection, shareProperties } from "./openapi-schemas";
import { sharedSchemas } from "./schemas";
import { failuresOf, isGuarded } from "./statuses";
import { tags } from "./tags";

export interface OpenApiDocument {
  openapi: string;
  info: object;
  servers: { url: string }[];
  security: object[];
  tags: { name: string; description: string }[];
  paths: Record<string, object>;
  components: Record<string, Record<string, unknown>>;
}

/** By path and method. */
type Paths = Record<string, Record<string, DescribedOperation>>;

interface DescribedOperation {
  operationId: string;
  tags: string[];
  parameters?: ParameterList;
  responses: Record<string, object>;
}

/** The OpenAPI 3.1 description of some of `all` operations, made from the schemas that validate them. */
export function openApiDocument(
  operations: readonly Operation[],
  all: readonly Operation[],
  baseUrl: string,
): OpenApiDocument {
  const schemas = new SchemaCollection();
  schemas.describe(ErrorEnvelope, "output");
  for (const shared of Object.values(sharedSchemas)) schemas.describe(shared, "output");
  const paths: Paths = {};
  for (const operation of operations) {
    paths[operation.path] ??= {};
    Object.assign(paths[operation.path] ?? {}, {
      [operation.method.toLowerCase()]: describeOperation(operation, all, schemas),
    });
  }
  const used = new Set(operations.map(({ tag }) => tag));
  const parameters = shareParameters(Object.values(paths).flatMap((item) => Object.values(item)));
  const responses = { ...responseComponents(), ...shareResponses(paths) };
  const document: OpenApiDocument = {
    openapi: "3.1.0",
    info: {
      title: "Agent Infrastructure",
      version: service.version,
      summary: "Tasks, webhook capture, documents, delayed requests and inboxes for AI agents.",
      description: DESCRIPTION,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: baseUrl }],
    security: [{}, { apiKey: [] }],
    tags: tags.filter(({ name }) => used.has(name)),
    paths: Object.fromEntries(
      Object.entries(paths).map(([path, item]) => [path, withCommonParameters(item)]),
    ),
    components: {
      securitySchemes: {
        apiKey: {
          type: "http",
          scheme: "bearer",
          description: `An API key, svc_live_…, with the scopes ${scopes.join(" and ")}.`,
        },
        dispatchSecret: {
          type: "http",
          scheme: "bearer",
          description: "The operator's CRON_SECRET, where one is configured.",
        },
      },
      schemas: shareProperties(schemas.components),
      responses,
      headers: headerComponents(),
      parameters,
    },
  };
  return { ...document, components: usedComponents(document, paths) };
}

/** Moves successes that several operations have to the components, named after their schema. */
function shareResponses(paths: Paths): Record<string, object> {
  const holders = Object.values(paths)
    .flatMap((item) => Object.values(item))
    .map(({ responses }) => responses);
  const uses = new Map<string, number>();
  for (const text of holders.flatMap((responses) => Object.values(responses).map(textOf))) {
    uses.set(text, (uses.get(text) ?? 0) + 1);
  }
  const shared: Record<string, object> = {};
  for (const responses of holders) {
    for (const [status, response] of Object.entries(responses)) {
      const text = textOf(response);
      const name = /"#\/components\/schemas\/(\w+)"/.exec(text)?.[1];
      if (name === undefined || (uses.get(text) ?? 0) < 2) continue;
      shared[name] ??= response;
      if (textOf(shared[name]) === text) responses[status] = responseReference(name);
    }
  }
  return shared;
}

function textOf(value: unknown): string {
  return JSON.stringify(value);
}

/** The components that these paths refer to, and those that these refer to. */
function usedComponents(document: OpenApiDocument, paths: Paths): OpenApiDocument["components"] {
  const components: OpenApiDocument["components"] = {};
  const pending: unknown[] = [paths, document.security];
  for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
    for (const [kind, name] of referencesIn(part)) {
      const target = document.components[kind]?.[name];
      components[kind] ??= {};
      if (target === undefined || components[kind][name] !== undefined) continue;
      components[kind][name] = target;
      pending.push(target);
    }
  }
  return components;
}

/** Kind and name of each component that this part refers to. */
function referencesIn(part: unknown): [kind: string, name: string][] {
  const text = JSON.stringify(part);
  const referred = [...text.matchAll(/"#\/components\/(\w+)\/([\w-]+)"/g)];
  const schemes = [...text.matchAll(/"(apiKey|dispatchSecret)":\[\]/g)];
  return [
    ...referred.map(([, kind = "", name = ""]): [string, string] => [kind, name]),
    ...schemes.map(([, name = ""]): [string, string] => ["securitySchemes", name]),
  ];
}

const DESCRIPTION =
  "A key is optional: without one, what you create is public. Anyone who knows its ID can read and change it, no list shows it, and the create answer has a `claim_token` with which an organization takes it over. Lists hold what belongs to your organization, newest first; without a key they are empty. PATCH leaves what is left out as it is. `PUT …/external/{external_id}` updates your organization's resource with this external ID as PATCH does, or creates it; 409 when several have it. Every time is in Unix seconds, not milliseconds. Every GET also answers HEAD. Every answer has a `Request-Id`; where rates are limited also `RateLimit` and `RateLimit-Policy`. Any request may also fail with 408, 431, 500 or 503, in the same envelope; a 503 has a `Retry-After`. `/openapi/{tag}.json` describes one tag, and pages and documents too.";

function describeOperation(
  operation: Operation,
  all: readonly Operation[],
  schemas: SchemaCollection,
): DescribedOperation & Record<string, unknown> {
  const { id, summary, description, tag } = operation;
  const parameters = parametersOf(operation, all, schemas);
  return {
    operationId: id,
    summary,
    ...(description !== undefined && { description }),
    tags: [tag],
    ...securityOf(operation),
    ...(parameters.length > 0 && { parameters }),
    ...requestBody(operation, schemas),
    responses: {
      ...successes(operation, all, schemas),
      ...Object.fromEntries(
        failuresOf(operation, all).map((status) => [status, responseReference(status)]),
      ),
      ...(operation.success.status === 303 && { default: responseReference(503) }),
    },
  };
}

function securityOf({ auth, dispatchSecret }: Operation) {
  if (auth === "required") return { security: [{ apiKey: [] }] };
  if (auth === "ignored") return { security: dispatchSecret ? [{}, { dispatchSecret: [] }] : [] };
  return {}; // as the document says for all
}

function successes(operation: Operation, all: readonly Operation[], schemas: SchemaCollection) {
  const { method, success, conditional, ranges, repeatable, repeated } = operation;
  const tagged =
    conditional || ranges || success.orCreated || (method === "PATCH" && isGuarded(operation, all));
  const names = [
    ...(tagged ? ["ETag"] : []),
    ...(isCreate(operation) || success.status === 303 ? ["Location"] : []),
    ...(repeatable ? ["Idempotency-Replayed"] : []),
  ];
  const answer = {
    description: MEANINGS[success.status] ?? "Success",
    ...(names.length > 0 && { headers: headerReferences(...names) }),
    ...contentOf(operation, schemas),
  };
  return {
    [success.status]: success.status === 204 ? responseReference("NoContent") : answer,
    ...(repeated && { 200: { ...answer, description: "It was received before." } }),
    ...(success.orCreated && {
      201: {
        ...answer,
        description: "It was created.",
        headers: headerReferences("Location"),
      },
    }),
    ...(ranges && { 206: { ...answer, description: "The part that `Range` names." } }),
    ...((conditional || ranges) && { 304: responseReference("NotModified") }),
  };
}

const MEANINGS: Record<number, string> = { 200: "OK", 201: "Created", 303: "See other" };

function contentOf({ success }: Operation, schemas: SchemaCollection) {
  const { contentType, schema } = success;
  if (contentType) {
    return { content: { [contentType]: { schema: { type: "string" } } } };
  }
  if (!schema) return {};
  const described = schemas.describe(schema, "output");
  return { content: { "application/json": { schema: described } } };
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
