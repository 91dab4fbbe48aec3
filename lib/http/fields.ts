import { z } from "zod";

const MAX_UNIX_SECONDS = Number.MAX_SAFE_INTEGER;

/** Text that Postgres can store, with bounds in Unicode code points. Never trimmed. */
export function text(bounds: { min?: number; max?: number } = {}) {
  const { min = 0, max = Number.POSITIVE_INFINITY } = bounds;
  return z
    .string()
    .check((context) => {
      const problem = textProblem(context.value, min, max);
      if (problem) context.issues.push({ code: "custom", message: problem, input: context.value });
    })
    .meta({ ...(min > 0 && { minLength: min }), ...(Number.isFinite(max) && { maxLength: max }) });
}

/** Unix seconds within the range that a JSON number holds exactly. */
export function unixSeconds() {
  return z.int().min(-MAX_UNIX_SECONDS).max(MAX_UNIX_SECONDS);
}

/** The caller's own identifier of a resource: any text, not unique. */
export const externalId = text().nullable();

/** Fields that every stored resource shows. */
export const resourceFields = {
  organization_id: z.string().nullable().describe("null means public"),
  external_id: z.string().nullable(),
  created_at: z.int().nullable().describe("Unix seconds"),
  updated_at: z.int().nullable().describe("Unix seconds"),
};

/** Fields that a create adds to its answer when it was made without an API key. */
export const claimFields = {
  claim_token: z
    .string()
    .optional()
    .describe("Shown once. Whoever holds it may claim the resource."),
  claim_url: z
    .string()
    .optional()
    .describe("Where to POST the token with an API key; relative to the base URL."),
  claim_link: z
    .string()
    .optional()
    .describe("For your user: opens the page on which a person claims it. Holds the token."),
  view_url: z
    .string()
    .optional()
    .describe("For your user: a page that shows the resource, without an account, until a claim."),
};

function textProblem(value: string, min: number, max: number): string | undefined {
  // A code point is one or two code units, so counting is needed near the bounds only.
  if (value.length > max * 2) return `must have ${bounds(min, max)}`;
  if (value.length < min * 2 || value.length > max) {
    const length = [...value].length;
    if (length < min || length > max) return `must have ${bounds(min, max)}`;
  }
  if (value.includes("\0")) return "must not contain the character U+0000";
  if (!value.isWellFormed()) return "must not contain a lone surrogate";
  return undefined;
}

function bounds(min: number, max: number) {
  if (min === 0) return `at most ${max} characters`;
  return `${min} to ${max} characters`;
}
