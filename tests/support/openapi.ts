import * as z from "zod";

/** The parts of an OpenAPI document that the tests read. */

export interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  pattern?: string;
  format?: string;
}

/** By media type. */
export type Content = Record<string, { schema?: Schema }>;

interface WithContent {
  content?: Content;
}

interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  schema: Schema;
}

type Security = Record<string, string[]>[];

interface Described {
  operationId: string;
  tags: string[];
  security?: Security;
  parameters?: Parameter[];
  requestBody?: WithContent & { $ref?: string; required?: boolean };
  responses: Record<string, WithContent & { $ref?: string }>;
}

type PathItem = { parameters?: Parameter[] } & Record<string, Described>;

export interface OpenApi {
  openapi: string;
  info: object;
  servers: object[];
  security: Security;
  paths: Record<string, PathItem>;
  components: Record<string, Record<string, object>>;
}

export interface Operation {
  id: string;
  tag: string;
  method: string;
  path: string;
  /** Of its own; undefined where that of the document applies. */
  security: Security | undefined;
  parameters: Parameter[];
  query: Parameter[];
  body: { contentType: string; schema: Schema; required: boolean | undefined } | undefined;
  /** By status, or `default`. */
  responses: Record<string, WithContent>;
}

export class Document {
  readonly operations: Operation[];
  readonly #document: OpenApi;
  readonly #validators = new Map<Schema, z.ZodType>();

  constructor(document: OpenApi) {
    this.#document = document;
    this.operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      operationsOf(methods).map(([method, described]) => {
        const { content, required } = this.#resolve(described.requestBody ?? {});
        const [contentType = "", { schema = {} } = {}] = Object.entries(content ?? {})[0] ?? [];
        const parameters = (described.parameters ?? []).map((one) => this.#resolve(one));
        const responses = Object.entries(described.responses);
        return {
          id: described.operationId,
          tag: described.tags[0] ?? "",
          method: method.toUpperCase(),
          path,
          security: described.security,
          parameters,
          query: parameters.filter((parameter) => parameter.in === "query"),
          body: content && { contentType, schema, required },
          responses: Object.fromEntries(
            responses.map(([status, response]) => [status, this.#resolve(response)]),
          ),
        };
      }),
    );
  }

  operation(id: string): Operation {
    const found = this.operations.find((one) => one.id === id);
    if (!found) throw new Error(`The document has no ${id}.`);
    return found;
  }

  /** The operations at a path; the template with the fewest parameters wins. */
  at(pathname: string): Operation[] {
    const fitting = this.operations.filter(({ path }) => fits(path, pathname));
    const fewest = Math.min(...fitting.map(({ path }) => parametersOf(path)));
    return fitting.filter(({ path }) => parametersOf(path) === fewest);
  }

  schema(schema: Schema): Schema {
    return this.#resolve(schema);
  }

  /** Why a value does not match the schema; undefined when it does. */
  problem(schema: Schema, value: unknown): string | undefined {
    const validator =
      this.#validators.get(schema) ??
      z.fromJSONSchema(
        JSON.parse(
          JSON.stringify({ ...schema, $defs: this.#document.components.schemas }).replaceAll(
            "#/components/schemas/",
            "#/$defs/",
          ),
        ),
      );
    this.#validators.set(schema, validator);
    const result = validator.safeParse(value);
    return result.success ? undefined : z.prettifyError(result.error);
  }

  #resolve<T extends { $ref?: string }>(value: T): T {
    if (value.$ref === undefined) return value;
    const [, , kind = "", name = ""] = value.$ref.split("/");
    // OpenAPI: the target of a reference has the type of its place.
    return this.#resolve(this.#document.components[kind]?.[name] as T);
  }
}

/** By method, each with the parameters common to the path. */
function operationsOf({ parameters: common = [], ...methods }: PathItem): [string, Described][] {
  return Object.entries(methods).map(([method, described]) => [
    method,
    { ...described, parameters: [...(described.parameters ?? []), ...common] },
  ]);
}

function parametersOf(path: string): number {
  return path.split("{").length - 1;
}

function fits(path: string, pathname: string): boolean {
  const pattern = path.replaceAll(/[.+*?^$()[\]\\|]/g, "\\$&").replaceAll(/\{\w+\}/g, "[^/]+");
  const below = path.startsWith("/api/catch/") ? "(/.*)?" : "/?";
  return new RegExp(`^${pattern}${below}$`).test(pathname);
}
