import * as z from "zod";
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

export const UNIX_SECONDS = "Unix seconds, not milliseconds";

/** Unix seconds within the safe integers. */
export function unixSeconds() {
  return z
    .int()
    .min(-MAX_UNIX_SECONDS)
    .max(MAX_UNIX_SECONDS)
    .meta({ examples: [1_767_225_600] })
    .register(customMessages, { must: mustBeUnixSeconds });
}

/** Unix seconds in a query string. */
export function unixSecondsText() {
  return z
    .string()
    .transform((digits) => (/^[+-]?\d+$/.test(digits) ? Number(digits) : Number.NaN))
    .refine(Number.isSafeInteger, { error: mustBeUnixSeconds })
    .meta({ query: { type: "integer", examples: [1_767_225_600] } });
}

function mustBeUnixSeconds() {
  return `must be an integer in ${UNIX_SECONDS}, such as ${Math.floor(Date.now() / 1000)} (now)`;
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

/** The claim token in the body of a change of a public resource, instead of `Claim-With`. */
export const provingToken = z
  .string()
  .min(1)
  .optional()
  .describe("Or in `Claim-With`: a claim then keeps it");

export const survivesClaim = z.boolean().describe("false: a claim ends it");

/** The caller's own identifier: any text, not unique. */
export const externalId = text().nullable();

/** The fields of every stored resource. */
export const Stored = z
  .object({
    organization_id: z.string().nullable().describe("null means public"),
    external_id: z.string().nullable(),
    created_at: z.int().nullable(),
    updated_at: z.int().nullable(),
  })
  .meta({
    id: "StoredResource",
    examples: [
      {
        organization_id: null,
        external_id: "crm-4711",
        created_at: 1_767_225_600,
        updated_at: 1_767_225_600,
      },
    ],
  });
export const resourceFields = Stored.shape;

/** Fields added to the response of a create without an API key. */
export const Claimable = z
  .object({
    claim_token: z.string().optional().describe("Shown once"),
    claim_url: z
      .string()
      .optional()
      .describe("POST the token here, with a key; relative to the base URL"),
    claim_link: z.string().optional().describe("For your user: the claim page, with the token"),
    view_url: z.string().optional().describe("For your user: a page that shows it until a claim"),
  })
  .meta({
    id: "ClaimableResource",
    examples: [
      {
        claim_token: "clm_Vt5J0yqk3ZsQmXr8uWb2Ng7cLd4FhTa9",
        claim_url: "/api/claim/tsk_034gLHnnT5MH2Sbz6VPrmYvR1q",
        claim_link:
          "https://agents.acme.dev/claim/tsk_034gLHnnT5MH2Sbz6VPrmYvR1q#claim_token=clm_Vt5J0yqk3ZsQmXr8uWb2Ng7cLd4FhTa9",
        view_url: "https://agents.acme.dev/tasks/tsk_034gLHnnT5MH2Sbz6VPrmYvR1q",
      },
    ],
  });
export const claimFields = Claimable.shape;

function textProblem(value: string, min: number, max: number): string | undefined {
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
