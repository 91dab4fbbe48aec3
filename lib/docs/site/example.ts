interface Schema {
  $ref?: string;
  anyOf?: Schema[];
  oneOf?: Schema[];
  type?: string | string[];
  const?: unknown;
  examples?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
}

/** An example of a named schema, assembled from the examples of its parts. */
export function exampleOf(schemas: Record<string, unknown> = {}, name: string): unknown {
  return example(schemas, { $ref: `#/components/schemas/${name}` });
}

function example(schemas: Record<string, unknown>, schema: Schema): unknown {
  const of = (inner: Schema) => example(schemas, inner);
  if (schema.examples) return schema.examples[0];
  if (schema.const !== undefined) return schema.const;
  if (schema.$ref) return of(Object(schemas[schema.$ref.split("/").at(-1) ?? ""]));
  const [choice] = schema.anyOf ?? schema.oneOf ?? [];
  if (choice) return of(choice);
  if (schema.items) return [of(schema.items)];
  const { type, properties, required = [] } = schema;
  if (type === "boolean") return false;
  if (Array.isArray(type)) return null;
  if (!properties) return undefined;
  return Object.fromEntries(required.map((key) => [key, of(properties[key] ?? {})]));
}
