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
  return { schema: bool.default(true), default: "`true`", meaning };
}

/** Fewer words than zod's own, so that a message can name them all. */
export const bool = z.stringbool({
  truthy: ["true", "yes", "on", "1"],
  falsy: ["false", "no", "off", "0"],
});

export function integer(
  { min, max, default: value }: { min: number; max?: number; default: number },
  meaning: string,
) {
  return { schema: whole(min, max).default(value), default: `\`${value}\``, meaning };
}

/** An integer in these bounds. */
export function whole(min: number, max = Number.MAX_SAFE_INTEGER) {
  return z.string().transform((text, context) => {
    const number = Number(text);
    if (Number.isInteger(number) && number >= min && number <= max) return number;
    const bounds = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
    context.addIssue(`must be an integer ${bounds}`);
    return z.NEVER;
  });
}

export function retentionDays(days: number, what: string) {
  return integer({ min: 0, max: 36_500, default: days }, `Days after which ${what}; 0: never.`);
}
