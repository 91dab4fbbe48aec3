import { parametersOf, shareParameters } from "@/lib/api/openapi/parameters";
import { nameOf as nameOfSchema, SchemaCollection } from "@/lib/api/openapi/schemas";
import { statusesOf, statusIn } from "@/lib/api/statuses";
import { slugOf, tagOf, tags } from "@/lib/api/tags";
import { errorTexts } from "@/lib/docs/error-codes";
import { examplesOf } from "@/lib/docs/examples";
import { statusOf } from "@/lib/platform/errors";
import { exampleOf } from "@/lib/platform/http/example";
import type { Operation } from "@/lib/platform/http/operation";
import { codesOf } from "./errors";
import { type Field, FieldWriter, type Schema, sentence } from "./fields";
import { anchorOf } from "./markdown";
import { operationLink } from "./operation-link";

/** The server substitutes its own address. */
const EXAMPLE_BASE_URL = "http://localhost:3000";

/** The page that lists every operation, as Markdown. */
export function referenceOverview(operations: readonly Operation[]): string {
  const parts = tags.map(({ name, description }) => {
    const rows = operations
      .filter((one) => tagOf(one) === name)
      .map((one) => `| ${operationLink(one)} | \`${one.method} ${one.path}\` |`);
    return `## ${name}

${sentence(description)} [Reference](/docs/reference/${slugOf(name)}.md)

| Operation | Call |
| --- | --- |
${rows.join("\n")}
`;
  });
  return `# Reference

Every operation of the service, generated from the schemas that validate requests. \`/openapi.json\` is
the same for tools, and [conventions](/docs/api.md) has what holds for every call.

${parts.join("\n")}`;
}

/** The page of one tag, as Markdown: its operations and the objects that they return. */
export function referencePage(tag: (typeof tags)[number], all: readonly Operation[]): string {
  return new ReferencePage(all).of(tag);
}

class ReferencePage {
  readonly #all: readonly Operation[];
  readonly #collection = new SchemaCollection({ hasResponseExamples: true });
  readonly #schemas: Record<string, Schema>;
  /** The schemas that have a section. */
  #objects: readonly string[] = [];
  readonly #writer: FieldWriter;

  constructor(all: readonly Operation[]) {
    this.#all = all;
    for (const { body, rawBody, success } of all) {
      const taken = body ?? rawBody?.schema;
      if (taken) this.#collection.describe(taken, "input");
      if (success.schema) this.#collection.describe(success.schema, "output");
    }
    // The cast is safe: zod's type for JSON Schema allows more than zod emits.
    this.#schemas = this.#collection.components as Record<string, Schema>;
    this.#writer = new FieldWriter(this.#schemas, (name) =>
      this.#objects.includes(name) ? `[${name}](#${anchorOf(name)})` : undefined,
    );
  }

  of({ name, description }: (typeof tags)[number]): string {
    const operations = this.#all.filter((one) => tagOf(one) === name);
    this.#objects = this.#returnedBy(operations);
    const objects = this.#objects.map((object) => this.#object(object));
    return `# ${name} reference

${sentence(description)}

${operations.map((one) => this.#operation(one)).join("\n\n")}
${objects.length > 0 ? `\n## Objects\n\n${objects.join("\n\n")}\n` : ""}`;
  }

  #operation(operation: Operation): string {
    const { summary, description, method, path, subpaths } = operation;
    const parts = [
      `## ${summary}`,
      `\`${method} ${path}\``,
      ...(description === undefined ? [] : [sentence(description)]),
      ...(subpaths ? ["Every path below it is the same operation."] : []),
      credentialsOf(operation),
      examplesIn(operation),
      ...this.#parameters(operation),
      ...this.#body(operation),
      ...this.#returns(operation),
      this.#errors(operation),
    ];
    return parts.join("\n\n");
  }

  #parameters(operation: Operation): string[] {
    const components = shareParameters([]) as Record<string, Parameter>;
    const parameters = parametersOf(operation, this.#all, this.#collection).map((one) =>
      "$ref" in one ? components[one.$ref.split("/").at(-1) ?? ""] : (one as Parameter),
    );
    return PLACES.flatMap(([place, title]) => {
      const fields = parameters.flatMap((one): Field[] => {
        if (one?.in !== place) return [];
        const { name, schema, description = "", required = false } = one;
        return [{ name, schema: { ...schema, description }, isRequired: required }];
      });
      return fields.length > 0 ? [`**${title}**`, this.#writer.list(fields, "required")] : [];
    });
  }

  #body({ body, rawBody, bodyOptional }: Operation): string[] {
    if (rawBody && !rawBody.schema)
      return [`**Body**: any bytes, such as \`${rawBody.contentType}\`.`];
    const schema = body ?? rawBody?.schema;
    if (!schema) return [];
    const described: Schema = this.#schemas[nameOfSchema(schema) ?? ""] ?? {};
    const optional = bodyOptional ? " (may be empty)" : "";
    const choices = described.anyOf ?? described.oneOf;
    if (choices) {
      const lists = choices.flatMap((choice, index) => [
        `**Body**, form ${index + 1} of ${choices.length}`,
        this.#writer.list(this.#writer.fieldsOf(choice), "required"),
      ]);
      return lists;
    }
    return [`**Body**${optional}`, this.#writer.list(this.#writer.fieldsOf(described), "required")];
  }

  #returns(operation: Operation): string[] {
    const { success } = operation;
    const statuses = statusesOf(operation, this.#all).filter((status) => status < 400);
    const codes = statuses.map((status) => `\`${status}\``).join(" or ");
    const name = success.schema && nameOfSchema(success.schema);
    if (success.contentType) return [`**Returns** ${codes}, \`${success.contentType}\``];
    if (!success.schema) return [`**Returns** ${codes}`];
    if (name === undefined) return [`**Returns** ${codes}, a JSON object`];
    const example = idFirst(exampleOf(success.schema));
    return [
      `**Returns** ${codes}, [${name}](#${anchorOf(name)})`,
      `\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\``,
    ];
  }

  #errors(operation: Operation): string {
    const codes = codesOf(operation, this.#all);
    const link = (code: string) => `[\`${code}\`](/docs/errors.md#${code})`;
    const own = codes
      .filter((code) => operation.errors.includes(code))
      .map((code) => `- ${statusIn(operation, code)} ${link(code)}: ${errorTexts[code].meaning}`);
    const general = codes.filter((code) => !operation.errors.includes(code));
    const byStatus = [...new Set(general.map(statusOf))]
      .sort((a, b) => a - b)
      .map((status) => {
        const same = general.filter((code) => statusOf(code) === status);
        return `${status} ${same.map(link).join(" ")}`;
      });
    return [
      "**Errors**",
      ...(own.length > 0 ? [own.join("\n")] : []),
      `${byStatus.join(", ")}.`,
    ].join("\n\n");
  }

  #object(name: string): string {
    const schema = this.#schemas[name] ?? {};
    const base = this.#baseOf(schema);
    const known = Object.keys(this.#propertiesOf(base));
    const own = this.#writer.fieldsOf(schema).filter((field) => !known.includes(field.name));
    const inherited = base ? `Every field of [${base}](#${anchorOf(base)})` : "";
    const list = own.length > 0 && this.#writer.list(own, "optional");
    const parts = inherited && list ? [`${inherited}, and:`, list] : [list || `${inherited}.`];
    return [
      `### ${name}`,
      ...(known.length + own.length > 0 ? parts : [sentence(this.#writer.type(schema))]),
    ].join("\n\n");
  }

  /** The largest other object on the page that has no field besides those of this schema. */
  #baseOf({ properties = {} }: Schema): string | undefined {
    const sizeOf = (name: string) => Object.keys(this.#propertiesOf(name)).length;
    const isBase = (name: string) =>
      sizeOf(name) > 3 &&
      sizeOf(name) < Object.keys(properties).length &&
      Object.entries(this.#propertiesOf(name)).every(
        ([field, one]) => JSON.stringify(one) === JSON.stringify(properties[field]),
      );
    return this.#objects.filter(isBase).sort((a, b) => sizeOf(b) - sizeOf(a))[0];
  }

  #propertiesOf(name: string | undefined): Record<string, Schema> {
    return this.#schemas[name ?? ""]?.properties ?? {};
  }

  /** The named schemas in the responses, each after the schemas that refer to it. */
  #returnedBy(operations: readonly Operation[]): string[] {
    const found = new Set<string>();
    const pending = operations.flatMap(({ success }) => {
      const name = success.schema && nameOfSchema(success.schema);
      return name === undefined || success.contentType ? [] : [name];
    });
    for (let name = pending.shift(); name !== undefined; name = pending.shift()) {
      if (found.has(name) || !this.#schemas[name]) continue;
      found.add(name);
      const text = JSON.stringify(this.#schemas[name]);
      for (const [, inner = ""] of text.matchAll(/#\/components\/schemas\/(\w+)/g))
        pending.push(inner);
    }
    return [...found].sort();
  }
}

/** Moves an object's ID and type before its other members. */
function idFirst(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(idFirst);
  if (typeof value !== "object" || value === null) return value;
  const { id, object, ...rest } = value as Record<string, unknown>;
  const members = Object.entries({ id, object, ...rest }).filter(([, one]) => one !== undefined);
  return Object.fromEntries(members.map(([name, one]) => [name, idFirst(one)]));
}

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema: Schema;
}

const PLACES = [
  ["path", "Path"],
  ["query", "Query"],
  ["header", "Headers"],
] as const;

function credentialsOf({ auth, scope, dispatchSecret }: Operation): string {
  if (dispatchSecret) return "**Key**: the operator's `CRON_SECRET`, where one is configured.";
  if (auth === "ignored") return "**Key**: none. Credentials are ignored.";
  const needed = auth === "required" ? "required" : "optional";
  return `**Key**: ${needed}${scope ? `, with the scope \`${scope}\`` : ""}.`;
}

function examplesIn(operation: Operation): string {
  const { curl, typescript, mcp } = examplesOf(operation, EXAMPLE_BASE_URL);
  return [
    `\`\`\`sh curl\n${curl.trimEnd()}\n\`\`\``,
    `\`\`\`ts TypeScript\n${typescript.trimEnd()}\n\`\`\``,
    ...(mcp === undefined ? [] : [`\`\`\`json MCP\n${mcp.trimEnd()}\n\`\`\``]),
  ].join("\n\n");
}
