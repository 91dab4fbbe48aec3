import { tagOf, tags } from "@/lib/api/tags";
import { scopes } from "@/lib/platform/caller";
import { config } from "@/lib/platform/config/config";
import { ErrorEnvelope } from "@/lib/platform/http/error-envelope";
import type { Operation } from "@/lib/platform/http/operation";
import service from "@/package.json" with { type: "json" };
import { type DescribedOperation, describeOperation } from "./operations";
import { shareParameters, withCommonParameters } from "./parameters";
import { headerComponents, responseComponents, responseReference } from "./responses";
import { SchemaCollection } from "./schemas";

export interface OpenApiDocument {
  openapi: string;
  info: object;
  servers: { url: string }[];
  security: object[];
  tags: { name: string; description: string }[];
  paths: Record<string, object>;
  components: Record<string, Record<string, unknown>>;
}

/** Operations by path and method. */
type Paths = Record<string, Record<string, DescribedOperation>>;

/**
 * The OpenAPI 3.1 document of some of `all` operations, generated from their validation schemas. A
 * partial document has examples of responses, and describes exports at each list; the complete one
 * does so once.
 */
export function openApiDocument(
  operations: readonly Operation[],
  all: readonly Operation[],
  baseUrl: string,
  { isPart }: { isPart: boolean } = { isPart: false },
): OpenApiDocument {
  const schemas = new SchemaCollection({ hasResponseExamples: isPart });
  schemas.describe(ErrorEnvelope, "output");
  const paths: Paths = {};
  for (const operation of operations) {
    paths[operation.path] ??= {};
    Object.assign(paths[operation.path] ?? {}, {
      [operation.method.toLowerCase()]: describeOperation(operation, { all, schemas, isPart }),
    });
  }
  const used = new Set(operations.map(tagOf));
  const described = Object.values(paths).flatMap((item) => Object.values(item));
  const parameters = shareParameters(described, config().idempotencyRetentionSeconds / 3600);
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
      schemas: schemas.components,
      responses,
      headers: headerComponents(),
      parameters,
    },
  };
  return { ...document, components: usedComponents(document, paths) };
}

/** Moves the responses that operations share to the components, named after their schema. */
function shareResponses(paths: Paths): Record<string, object> {
  const holders = Object.values(paths)
    .flatMap((item) => Object.values(item))
    .map(({ responses }) => responses);
  const uses = new Map<string, number>();
  for (const text of holders.flatMap((responses) =>
    Object.values(responses).map((one) => JSON.stringify(one)),
  )) {
    uses.set(text, (uses.get(text) ?? 0) + 1);
  }
  const shared: Record<string, object> = {};
  for (const responses of holders) {
    for (const [status, response] of Object.entries(responses)) {
      const text = JSON.stringify(response);
      const name = /"#\/components\/schemas\/(\w+)"/.exec(text)?.[1];
      if (name === undefined || (uses.get(text) ?? 0) < 2) continue;
      shared[name] ??= response;
      if (JSON.stringify(shared[name]) === text) responses[status] = responseReference(name);
    }
  }
  return shared;
}

/** The components that these paths reference, transitively. */
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

/** The kind and name of each component that this part references. */
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
  "A key is optional: without one, what you create is public. Anyone who knows its ID can read and change it, it is not listed, and the create response has a `claim_token` with which an organization can claim it. Lists show your organization's resources, newest first. With `Accept: application/x-ndjson` they are whole, an item a line. PATCH changes only the fields sent. `PUT …/external/{external_id}` updates your organization's resource with this external ID as PATCH does, or creates it; 409 when several have it. Every time is in Unix seconds, not milliseconds. Every response has a `Request-Id` and, where rates are limited, `RateLimit` and `RateLimit-Policy`. Any request may also fail with 408, 431, 500 or 503, in the same envelope; a 503 has a `Retry-After`. `/openapi/{tag}.json` describes one tag, including its pages and documents.";
