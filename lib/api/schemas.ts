import * as z from "zod";

/** Names a list after its items, if they are named. */
export function nameList(schema: z.ZodType) {
  if (!(schema instanceof z.ZodObject) || nameOf(schema) !== undefined) return;
  const { data } = schema.shape;
  const item = data instanceof z.ZodArray ? nameOf(data.element) : undefined;
  if (item !== undefined) nameSchema(schema, `${item}List`);
}

function nameSchema(schema: z.core.$ZodType, id: string) {
  z.globalRegistry.add(schema, { ...z.globalRegistry.get(schema), id });
}

/** The schema's name in the document, if any. */
export function nameOf(schema: z.core.$ZodType): string | undefined {
  return z.globalRegistry.get(schema)?.id;
}
