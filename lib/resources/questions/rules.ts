import * as z from "zod";
import { assertAccess, organizationOf } from "@/lib/identity/access";
import type { Caller } from "@/lib/platform/caller";
import type { Transaction } from "@/lib/platform/db/sql";
import { ApiError, invalidParam, notFound } from "@/lib/platform/errors";
import { validate } from "@/lib/platform/http/validation";
import type { Kind } from "@/lib/resources/kinds";
import { ownershipOf } from "@/lib/resources/owner";
import { type Answer, type Question, verdicts } from "./contract";
import { answersTo } from "./form";
import { formOf, optionsOf, type QuestionRow, serializeQuestion } from "./serialize";

/** Throws 400, 403 and 404 unless the caller's questions may refer to this resource. */
export async function assertOwn(
  caller: Caller,
  param: string,
  id: string | null | undefined,
  kind: Kind,
  db?: Transaction,
): Promise<void> {
  if (id === null || id === undefined) return;
  const owner = await ownerOf(caller, id, kind, db).catch((error) => {
    if (!(error instanceof ApiError)) throw error;
    throw new ApiError(error.code, error.message, { param, headers: error.headers });
  });
  if (owner === organizationOf(caller)) return;
  throw invalidParam(
    param,
    `${param} must have the same owner as the question. Claim it if it is public.`,
  );
}

async function ownerOf(caller: Caller, id: string, { prefix, noun }: Kind, db?: Transaction) {
  const found = id.startsWith(`${prefix}_`) ? await ownershipOf(id, db) : undefined;
  if (!found) throw notFound(noun, id);
  assertAccess(caller, found.organization_id);
  return found.organization_id;
}

/** Throws 400 if a field that an update cannot change gets another value. */
export function assertFixed(name: string, given: unknown, current: unknown): void {
  if (given === undefined || JSON.stringify(given) === JSON.stringify(current)) return;
  throw invalidParam(name, `${name} cannot change: withdraw the question, and ask another one.`);
}

/** Throws 409 `question_answered` with who and when, or `question_closed`. */
export function assertOpen(row: QuestionRow): void {
  const { state, answered_by, answered_at } = serializeQuestion(row);
  if (state === "open") return;
  if (state === "answered") {
    const who = answered_by === "link" ? "by its link" : `by ${answered_by}`;
    const when = new Date((answered_at ?? 0) * 1000).toISOString();
    throw new ApiError(
      "question_answered",
      `It was answered ${who} at ${answered_at} (${when}). An answer is final.`,
    );
  }
  throw new ApiError("question_closed", `The question is ${state}, so it takes no answer.`);
}

/**
 * Throws 400 for a field that does not go with the kind, or if one that the kind needs is missing.
 */
export function assertFitting(
  kind: Question["kind"],
  parts: Record<"options" | "form", unknown>,
  on_expiry: Question["on_expiry"],
): void {
  for (const [param, of] of [
    ["options", "choice"],
    ["form", "form"],
  ] as const) {
    if (kind === of && parts[param] === null) {
      const message = `A question of the kind ${of} needs ${param}.`;
      throw new ApiError("missing_required_param", message, { param });
    }
    if (kind !== of && parts[param] !== null) {
      throw invalidParam(param, `${param} is for the kind ${of}.`);
    }
  }
  if (kind !== "approve" && on_expiry === "deny") {
    throw invalidParam("on_expiry", "on_expiry can be deny only for the kind approve.");
  }
}

/** The stored text of an answer. Throws 400, which names what is allowed, for one that does not fit. */
export function answerText(row: QuestionRow, given: Answer["answer"]): string {
  const form = formOf(row);
  if (form) {
    // Without a prototype, since a field may have the name of one's member, such as `constructor`.
    const answer = typeof given === "object" ? Object.assign(Object.create(null), given) : given;
    return JSON.stringify(validate(z.object({ answer: answersTo(form) }), { answer }).answer);
  }
  if (typeof given !== "string") {
    throw invalidParam("answer", "answer must be text: this question has no form.");
  }
  if (row.kind === "text") return given;
  const allowed = row.kind === "approve" ? verdicts : (optionsOf(row) ?? []).map(({ id }) => id);
  if (allowed.some((one) => one === given)) return given;
  throw invalidParam("answer", `answer must be one of: ${allowed.join(", ")}.`);
}
