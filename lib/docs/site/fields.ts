import { wordList } from "@/lib/platform/http/issue-message";

/** The part of JSON Schema that the OpenAPI document uses. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  const?: unknown;
  enum?: unknown[];
  default?: unknown;
  format?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  examples?: unknown[];
}

export interface Field {
  name: string;
  schema: Schema;
  isRequired: boolean;
}

/** Fields as a Markdown list, with the fields of nested objects below theirs. */
export class FieldWriter {
  readonly #schemas: Record<string, Schema>;
  /** The Markdown link to a named schema that has a section. */
  readonly #link: (name: string) => string | undefined;

  constructor(schemas: Record<string, Schema>, link: (name: string) => string | undefined) {
    this.#schemas = schemas;
    this.#link = link;
  }

  /** `marks`: whether required or optional fields are marked. */
  list(fields: readonly Field[], marks: "required" | "optional", indent = ""): string {
    return fields
      .map(({ name, schema, isRequired }) => {
        const mark = marks === "required" ? isRequired : !isRequired;
        const type = [this.type(schema), ...(mark ? [marks] : [])].join(", ");
        const text = [schema.description, ...limitsOf(this.#target(schema))].filter(Boolean);
        const about =
          text.length > 0 ? `  \n${indent}  ${text.map((one) => sentence(one)).join(" ")}` : "";
        const nested = this.#nested(schema);
        const below = nested.length > 0 ? `\n\n${this.list(nested, marks, `${indent}  `)}\n` : "";
        return `${indent}- **\`${name}\`** *${type}*${about}${below}`;
      })
      .join("\n");
  }

  fieldsOf(schema: Schema): Field[] {
    const { $ref, properties = {}, required = [] } = schema;
    if ($ref) return this.fieldsOf(this.#named($ref));
    return Object.entries(properties).map(([name, property]) => {
      return { name, schema: property, isRequired: required.includes(name) };
    });
  }

  /** A type in words, such as "array of strings" or "integer or null". */
  type(schema: Schema): string {
    const name = nameOf(schema);
    if (name !== undefined) {
      const target = this.#named(schema.$ref ?? "");
      return this.#link(name) ?? (this.fieldsOf(target).length > 0 ? "object" : this.type(target));
    }
    const choices = schema.anyOf ?? schema.oneOf;
    if (choices) return [...new Set(choices.map((one) => this.type(one)))].join(" or ");
    if (schema.const !== undefined) return code(schema.const);
    if (schema.enum) return wordList(schema.enum.map(code), "or");
    if (schema.items)
      return `array of ${plural(this.type(schema.items))}${schema.type?.includes("null") ? " or null" : ""}`;
    if (Array.isArray(schema.type)) return schema.type.join(" or ");
    if (schema.type === undefined) return schema.properties ? "object" : "any";
    return schema.type;
  }

  /** The fields to list below a field: those of its object, or of the objects in its array. */
  #nested(schema: Schema): Field[] {
    const inner = schema.items ?? schema;
    const name = nameOf(inner);
    if (name !== undefined && this.#link(name) !== undefined) return [];
    const choices = inner.anyOf ?? inner.oneOf;
    if (choices) return choices.flatMap((one) => this.#nested(one));
    return this.fieldsOf(inner);
  }

  #target(schema: Schema): Schema {
    return schema.$ref ? { ...this.#named(schema.$ref), description: "" } : schema;
  }

  #named($ref: string): Schema {
    return this.#schemas[$ref.split("/").at(-1) ?? ""] ?? {};
  }
}

function nameOf({ $ref }: Schema): string | undefined {
  return $ref?.split("/").at(-1);
}

/** Text with a full stop, safe in Markdown. */
export function sentence(text = ""): string {
  const safe = text
    .split(/(`[^`]*`)/)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll("<", "&lt;")))
    .join("");
  return /[.:!?]$/.test(safe) ? safe : `${safe}.`;
}

function limitsOf(schema: Schema): string[] {
  const { minLength, maxLength, minimum, maximum, maxItems } = schema;
  const isInferred = schema.description?.includes("efault") ?? false;
  return [
    between(minLength, maxLength, "characters"),
    between(minimum, maximum, ""),
    maxItems === undefined ? "" : `Up to ${number(maxItems)} items`,
    schema.items ? between(schema.items.minLength, schema.items.maxLength, "characters each") : "",
    schema.default === undefined || isInferred ? "" : `Default: ${code(schema.default)}`,
  ].filter(Boolean);
}

function between(least: number | undefined, most: number | undefined, unit: string): string {
  const end = unit && ` ${unit}`;
  if (least !== undefined && most !== undefined) return `${number(least)} to ${number(most)}${end}`;
  if (most !== undefined) return `Up to ${number(most)}${end}`;
  if (least === 1 && unit) return "Not empty";
  if (least !== undefined) return `At least ${number(least)}${end}`;
  return "";
}

/** `100000` as `100 000`, with a non-breaking space. */
function number(value: number): string {
  return String(value).replaceAll(/(?<=\d)(?=(?:\d{3})+$)/g, value > 9999 ? "\u00a0" : "");
}

function code(value: unknown): string {
  return value === null
    ? "null"
    : `\`${typeof value === "string" ? value : JSON.stringify(value)}\``;
}

function plural(type: string): string {
  return /^[a-z]+$/.test(type) && type !== "any" ? `${type}s` : type;
}
