import * as z from "zod";

/** An environment variable. Its default and meaning are Markdown. */
export interface Variable {
  schema: z.ZodType;
  default: string;
  meaning: string;
}

/** A variable that may be unset. */
export function optional<Schema extends z.ZodType>(schema: Schema, meaning: string) {
  return { schema: schema.optional(), default: "none", meaning };
}

/** A boolean that is true unless it is set. */
export function flag(meaning: string) {
  return { schema: z.stringbool().default(true), default: "`true`", meaning };
}

export function integer(
  { min, max, default: value }: { min: number; max?: number; default: number },
  meaning: string,
) {
  const atLeast = z.coerce.number().int().min(min);
  const bounded = max === undefined ? atLeast : atLeast.max(max);
  return { schema: bounded.default(value), default: `\`${value}\``, meaning };
}

export function retentionDays(days: number, what: string) {
  return integer({ min: 0, max: 36_500, default: days }, `Days after which ${what}; 0: never.`);
}
