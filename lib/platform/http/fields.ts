import * as z from "zod";
import { exampleId, exampleOf, withExample } from "./example";
import { customMessages } from "./issue-message";

const MAX_UNIX_SECONDS = Number.MAX_SAFE_INTEGER;

/** Text that Postgres can store, bounded in Unicode code points. Never trimmed. */
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

const EXAMPLE_TIME = 1_767_225_600;

export const UNIX_SECONDS = "Unix seconds, not milliseconds";

/** The times that JSON numbers hold exactly. */
const UNIX_RANGE = { minimum: -MAX_UNIX_SECONDS, maximum: MAX_UNIX_SECONDS };

/** Unix seconds within the safe integers. */
export function unixSeconds() {
  return z
    .int()
    .min(UNIX_RANGE.minimum)
    .max(UNIX_RANGE.maximum)
    .meta({ examples: [EXAMPLE_TIME] })
    .register(customMessages, { must: mustBeUnixSeconds });
}

/** Unix seconds in a query string. */
export function unixSecondsText() {
  return z
    .string()
    .transform((digits) => (/^[+-]?\d+$/.test(digits) ? Number(digits) : Number.NaN))
    .refine(Number.isSafeInteger, {
      error: ({ input }) => mustBeUnixSeconds(Number.isNaN(input) ? undefined : UNIX_RANGE),
    })
    .meta({ query: { type: "integer", ...UNIX_RANGE, examples: [EXAMPLE_TIME] } });
}

/** `range`: for an integer outside it. */
function mustBeUnixSeconds(range?: { minimum: number; maximum: number }) {
  const bounds = range ? ` from ${range.minimum} to ${range.maximum},` : "";
  return `must be an integer${bounds} in ${UNIX_SECONDS}, such as ${Math.floor(Date.now() / 1000)} (now)`;
}

/** An integer in a body, clamped to the bounds. */
export function clampedInt(minimum: number, maximum: number) {
  return z
    .int()
    .transform((given) => Math.min(Math.max(given, minimum), maximum))
    .meta({ minimum, maximum });
}

/** An integer in a query string, clamped to the bounds. */
export function clampedText(minimum: number, maximum: number) {
  return z
    .string()
    .regex(/^[+-]?\d+$/, `must be an integer from ${minimum} to ${maximum}`)
    .transform((digits) => Math.min(Math.max(Number(digits), minimum), maximum))
    .meta({ query: { type: "integer", minimum, maximum } });
}

/** The longest wait of a read, in seconds. */
export const WAIT_SECONDS_MAX = 25;

/** How many seconds a read waits, in its query string. */
export function wait(description: string) {
  return clampedText(0, WAIT_SECONDS_MAX).optional().describe(description);
}

export function objectType<Name extends string>(name: Name) {
  return z.literal(name).describe("The object's type.");
}

/** The ID of an object of this kind; `prefix` is that of its IDs. */
export function idOf(prefix: string) {
  return reference(prefix, `Its ID, which begins with \`${prefix}_\`.`);
}

/** The ID of another object, whose IDs have this prefix. */
export function reference(prefix: string, description: string) {
  return withExample(z.string().describe(description), exampleId(prefix));
}

/** A time of a response, in Unix seconds. */
export function time(description: string) {
  return withExample(z.int().describe(description), EXAMPLE_TIME);
}

/** A time of a response, or null. The sentence says when it is null. */
export function timeOrNull(description: string) {
  return z.int().nullable().describe(description);
}

export const createdAt = time("When it was created.");
export const updatedAt = time("When it last changed.");
export const organizationId = z
  .string()
  .nullable()
  .describe("Its organization; null if it is public.");

/** The sentence about the name of a resource, in requests and responses. */
export const NAME = "A name for people. It need not be unique.";

/** The claim token in the body of a change of a public resource, instead of `Claim-With`. */
export const provingToken = z
  .string()
  .min(1)
  .optional()
  .describe("The resource's `claim_token`, with which a claim keeps this.");

export const survivesClaim = z.boolean().describe("Whether it stays after a claim.");

const EXTERNAL_ID = "Your own ID for it, or null. It need not be unique.";

/** The caller's own identifier: any text, not unique. */
export const externalId = text().nullable().describe(EXTERNAL_ID);

/** The filter of a list by `external_id`. */
export const externalIdFilter = text().optional().describe("Only those with this external ID.");

export const resourceFields = {
  organization_id: organizationId,
  external_id: withExample(z.string().nullable().describe(EXTERNAL_ID), "crm-4711"),
  created_at: createdAt,
  updated_at: updatedAt,
};

/** Fields added to the response of a create without an API key. */
export const claimFields = {
  claim_token: z
    .string()
    .optional()
    .describe("Claims it for an organization. Shown once, and only without a key."),
  claim_url: z.string().optional().describe("Where to POST the token with a key."),
  claim_link: z.string().optional().describe("A page where your user claims it, with the token."),
  view_url: z.string().optional().describe("A page that shows it until a claim."),
};

/**
 * The named schema of a create's response: the resource, what its creator needs for a claim, and
 * `more`. `page` is the path of the kind in the dashboard.
 */
export function created<
  Resource extends z.ZodRawShape,
  More extends z.ZodRawShape = Record<never, never>,
>(resource: z.ZodObject<Resource>, name: string, page: string, more?: More) {
  const fields = { ...claimFields, ...more } as typeof claimFields & More;
  return extended(resource, name, fields, ({ id }) => ({
    claim_token: "clm_Vt5J0yqk3ZsQmXr8uWb2Ng7cLd4FhTa9",
    claim_url: `/api/claim/${id}`,
    claim_link: `https://agents.acme.dev/claim/${id}#claim_token=clm_Vt5J0yqk3ZsQmXr8uWb2Ng7cLd4FhTa9`,
    view_url: `https://agents.acme.dev/${page}/${id}`,
  }));
}

/** A named schema with the fields of `base` and more. `values` extends the example of `base`. */
export function extended<Base extends z.ZodRawShape, Fields extends z.ZodRawShape>(
  base: z.ZodObject<Base>,
  name: string,
  fields: Fields,
  values: (example: Record<string, unknown>) => object,
) {
  const example = Object(exampleOf(base));
  return base.extend(fields).meta({ id: name, examples: [{ ...example, ...values(example) }] });
}

/** What is wrong with a text that must have `min` to `max` code points, as a predicate; undefined if nothing is. */
export function textProblem(value: string, min: number, max: number): string | undefined {
  // A code point is one or two code units, so only lengths near the bounds need counting.
  if (value.length < min * 2 || value.length > max) {
    const length = codePoints(value);
    if (length < min || length > max) return `must have ${bounds(min, max)}; it has ${length}`;
  }
  if (value.includes("\0")) return "must not contain the character U+0000";
  if (!value.isWellFormed()) return "must not contain a lone surrogate";
  return undefined;
}

/** Avoids an array, which would dominate the cost for a million characters. */
function codePoints(value: string): number {
  let length = value.length;
  for (let i = 1; i < value.length; i += 1) {
    const isPair =
      (value.charCodeAt(i) & 0xfc00) === 0xdc00 && (value.charCodeAt(i - 1) & 0xfc00) === 0xd800;
    if (isPair) length -= 1;
  }
  return length;
}

function bounds(min: number, max: number) {
  if (min === 0) return `at most ${max} characters`;
  if (!Number.isFinite(max)) return `at least ${min} characters`;
  return `${min} to ${max} characters`;
}
