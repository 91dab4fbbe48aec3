import { scopes } from "@/lib/accounts/caller";
import service from "@/package.json" with { type: "json" };
import { ErrorEnvelope } from "./error-envelope";
import {
  headerComponents,
  headerReferences,
  responseComponents,
  responseReference,
} from "./openapi-responses";
import { type JsonSchema, SchemaCollection, shareProperties } from "./openapi-schemas";
import { isCreate, type Operation } from "./operation";
import { failuresOf, isGuarded } from "./statuses";
import { tags } from "./tags";

export interface OpenApiDocument {
  openapi: string;
  info: object;
  servers: { url: string }[];
  security: object[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, DescribedOperation>>;
  components: Record<string, Record<string, unknown>>;
}

interface DescribedOperation {
  operationId: string;
  tags: string[];
  parameters?: (Parameter | { $ref: string })[];
  responses: Record<string, object>;
}

interface Parameter {
  name: string;
  in: string;
  schema: unknown;
}

/** The OpenAPI 3.1 description of these operations, made from the schemas that validate them. */
export function openApiDocument(
  operations: readonly Operation[],
  baseUrl: string,
): OpenApiDocument {
  const schemas = new SchemaCollection();
  schemas.describe(ErrorEnvelope, "output");
  const paths: OpenApiDocument["paths"] = {};
  for (const operation of operations) {
    paths[operation.path] ??= {};
    Object.assign(paths[operation.path] ?? {}, {
      [operation.method.toLowerCase()]: describeOperation(operation, operations, schemas),
    });
  }
  const used = new Set(operations.map(({ tag }) => tag));
  const parameters = { ...PARAMETERS, ...shareParameters(paths) };
  const responses = { ...responseComponents(), ...shareResponses(paths) };
  return {
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
    paths,
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
}

/** Moves parameters that several operations have to the components, as these are then a reference shorter. */
function shareParameters(paths: OpenApiDocument["paths"]): Record<string, object> {
  const lists = Object.values(paths)
    .flatMap((item) => Object.values(item))
    .flatMap(({ parameters }) => (parameters ? [parameters] : []));
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
  return shared;
}

/** The same for successes that several operations have; they are named after their schema. */
function shareResponses(paths: OpenApiDocument["paths"]): Record<string, object> {
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

/** The part of the document that describes the operations with one tag, and what they refer to. */
export function openApiPart(document: OpenApiDocument, tag: string): OpenApiDocument {
  const paths = Object.fromEntries(
    Object.entries(document.paths).flatMap(([path, item]) => {
      const own = Object.entries(item).filter(([, described]) => described.tags.includes(tag));
      return own.length > 0 ? [[path, Object.fromEntries(own)]] : [];
    }),
  );
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
  return {
    ...document,
    tags: document.tags.filter(({ name }) => name === tag),
    paths,
    components,
  };
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
  "A key is optional: without one, what you create is public. Anyone who knows its ID can read and change it, no list shows it, and the create answer has a `claim_token` with which an organization takes it over. Every time is in Unix seconds, not milliseconds. Every GET also answers HEAD. A single read has an `ETag`.";

function describeOperation(
  operation: Operation,
  all: readonly Operation[],
  schemas: SchemaCollection,
): DescribedOperation & Record<string, unknown> {
  const { id, summary, description, tag } = operation;
  const parameters = [
    ...pathParameters(operation),
    ...queryParameters(operation, schemas),
    ...headerParameters(operation, isGuarded(operation, all)),
  ];
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

function pathParameters({ path }: Operation) {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) =>
    parameter(name, "path", true, { type: "string" }),
  );
}

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

const PARAMETERS = {
  "Idempotency-Key": headerParameter(
    "Idempotency-Key",
    "1 to 255 printable ASCII characters. The same key with the same body gets the same answer for 24 hours. Without an API key use a UUID: the answer to a key of less than 16 characters is repeated without its secrets.",
  ),
  "If-None-Match": headerParameter("If-None-Match", "An ETag: 304 if nothing has changed since."),
  "If-Match": headerParameter("If-Match", "An ETag: 412 if the resource has changed since."),
  Range: headerParameter("Range", "A part of the content, such as `bytes=0-99`."),
};

function headerParameter(name: string, description: string) {
  return { name, in: "header", description, schema: { type: "string" } };
}

function headerParameters(operation: Operation, guarded: boolean) {
  const { conditional, ranges, repeatable } = operation;
  const names = [
    ...(repeatable ? ["Idempotency-Key"] : []),
    ...(conditional || ranges ? ["If-None-Match"] : []),
    ...(ranges ? ["Range"] : []),
    ...(guarded ? ["If-Match"] : []),
  ];
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}
