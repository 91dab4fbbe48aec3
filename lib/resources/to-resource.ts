import * as z from "zod";
import { memoize } from "@/lib/platform/memoize";

/**
 * A row as the API returns it: the members of the schema, each from the column of its name or from
 * `made`. A member that has neither does not compile, nor does a column of another type. It costs half a
 * microsecond more than a function that lists the members, which the rows of hot paths have instead.
 */
export function toResource<
  Shape extends z.ZodRawShape,
  Made extends Partial<z.output<z.ZodObject<Shape>>>,
>(
  schema: z.ZodObject<Shape>,
  row: Omit<z.output<z.ZodObject<Shape>>, keyof Made | "object">,
  made: Made,
): z.output<z.ZodObject<Shape>> {
  const { names, object } = membersOf(schema);
  const columns: Record<string, unknown> = row;
  const others: Record<string, unknown> = made;
  const result: Record<string, unknown> = {};
  for (const name of names) {
    const own = name === "object" ? object : others[name];
    const value = own === undefined ? columns[name] : own;
    if (value !== undefined) result[name] = value;
  }
  // The cast is safe: the parameters' types have all members.
  return result as z.output<z.ZodObject<Shape>>;
}

/** The owner follows the ID and the type. */
const FIRST = ["id", "object", "organization_id"];

/** The members of a schema of responses, and the value of its `object`. */
const membersOf = memoize(({ shape }: z.ZodObject) => {
  const all = Object.keys(shape);
  const names = [...FIRST.filter((name) => all.includes(name)), ...all];
  const object = shape.object instanceof z.ZodLiteral ? shape.object.value : undefined;
  return { names: [...new Set(names)], object };
});
