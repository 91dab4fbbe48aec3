import * as z from "zod";

/** The example of a field that has the same one everywhere, such as an ID. Lists of fields leave it out. */
const ofFields = z.registry<{ value: unknown }>();

/** Gives a field its example. */
export function withExample<Schema extends z.ZodType>(schema: Schema, value: unknown): Schema {
  ofFields.add(schema, { value });
  return schema;
}

/** The example of an ID of objects whose IDs have this prefix. */
export function exampleId(prefix: string): string {
  return `${prefix}_034gLHnnT5MH2Sbz6VPrmYvR1q`;
}

/**
 * The example of a schema: that of its `meta`, completed with the examples of the members that it
 * leaves out: an object's own, else null where it is allowed, the first of several values, false or 0.
 */
export function exampleOf(schema: z.core.$ZodType): unknown {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const own = givenExample(schema);
  if (def.type === "object") {
    const given = Object(own);
    const members = Object.entries(def.shape).map(([name, member]) => [
      name,
      Object.hasOwn(given, name) ? given[name] : exampleOf(member),
    ]);
    return { ...Object.fromEntries(members.filter(([, value]) => value !== undefined)) };
  }
  if (own !== undefined) return own;
  switch (def.type) {
    case "nullable":
      return def.innerType._zod.def.type === "object" ? exampleOf(def.innerType) : null;
    case "literal":
      return def.values[0];
    case "enum":
      return Object.values(def.entries)[0];
    case "boolean":
      return false;
    case "number":
      return 0;
    case "record":
      return {};
    case "array": {
      const item = exampleOf(def.element);
      return item === undefined ? [] : [item];
    }
    case "union": {
      const [first] = def.options;
      return first && exampleOf(first);
    }
    default:
      return undefined;
  }
}

function givenExample(schema: z.core.$ZodType): unknown {
  const { examples } = z.globalRegistry.get(schema) ?? {};
  return Array.isArray(examples) ? examples[0] : ofFields.get(schema as z.ZodType)?.value;
}
