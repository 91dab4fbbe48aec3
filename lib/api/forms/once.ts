import { hash } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import type { Commit } from "@/lib/platform/db/commit";
import { ApiError } from "@/lib/platform/errors";
import { idempotent } from "@/lib/platform/http/idempotency";
import { HttpResponse } from "@/lib/platform/http/response";
import { oncePerProcess } from "@/lib/platform/process";

/** How long a second submission waits for the first: 3 s in total. */
const PAUSES_MS = [50, 100, 200, 400, 750, 750, 750];

interface Form {
  /** Identifies the rendered form. */
  id: string;
  /** The session or person it was rendered for. */
  scope: string;
  work: string;
  /** What was typed. */
  input: unknown;
}

/**
 * Runs a form's work that is not an operation of the API, and returns its result as text. A repeated
 * submission with the same input gets the first result. What the work writes through `commit` shares a transaction with
 * the record of its result.
 */
export async function once(
  { id, scope, work: path, input }: Form,
  work: (commit: Commit) => Promise<string>,
): Promise<string> {
  const key = submissionKey(id, input);
  const { body } = await shareRun([scope, path, key], () =>
    idempotent(
      { key, scope, path, content: null },
      work,
      (result) => new HttpResponse(200, {}, String(result)),
    ),
  );
  return String(body);
}

/** The idempotency key of a form's submission. Other input has another key. */
export function submissionKey(formId: string, ...input: unknown[]): string {
  return hash("sha256", JSON.stringify([formId, ...input]), "base64url");
}

/**
 * Runs work that has an idempotency key. Concurrent submissions of a form to this process share one
 * run, named by `form`; a run in another process is waited for.
 */
export async function shareRun(
  form: readonly (string | null)[],
  work: () => Promise<HttpResponse>,
): Promise<HttpResponse> {
  const running = oncePerProcess("http.once", () => new Map<string, Promise<HttpResponse>>());
  const name = JSON.stringify(form);
  const first = running.get(name);
  if (first) return first;
  const result = retryWhileRunning(work).finally(() => running.delete(name));
  running.set(name, result);
  return result;
}

/** Another process may be running the work. Polls, and holds no connection in between. */
async function retryWhileRunning(
  work: () => Promise<HttpResponse>,
  [pause, ...later] = PAUSES_MS,
): Promise<HttpResponse> {
  try {
    return await work();
  } catch (error) {
    const isRunning = error instanceof ApiError && error.code === "idempotency_in_progress";
    if (!isRunning || pause === undefined) throw error;
    await setTimeout(pause);
    return retryWhileRunning(work, later);
  }
}
