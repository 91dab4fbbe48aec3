import { setTimeout } from "node:timers/promises";
import type { Transaction } from "@/lib/platform/db/sql";
import { ApiError } from "@/lib/platform/errors";
import { idempotent, idempotentWrite } from "@/lib/platform/http/idempotency";
import { HttpResponse } from "@/lib/platform/http/response";
import type { Repeatable } from "@/lib/platform/http/response-records";
import { oncePerProcess } from "@/lib/platform/process";
import { insertOnce } from "@/lib/resources/insert-once";
import type { Insertion } from "@/lib/resources/insertion";

/** How long a second submission waits for the first: 3 s in total. */
const PAUSES_MS = [50, 100, 200, 400, 750, 750, 750];

interface Form {
  /** Identifies the rendered form. */
  id: string;
  /** Who it was rendered for. */
  scope: string;
  work: string;
}

/** Runs a form's work once, however often it is submitted: repeats get the first result. */
export async function once(form: Form, work: () => Promise<string>): Promise<string> {
  return coalesce(form, (request) =>
    idempotent(request, work, (result) => responseWith(String(result))),
  );
}

/** Like `once`, for work that only writes to `db`, in one transaction with the stored result. */
export async function writeOnce(
  form: Form,
  work: (db: Transaction) => Promise<string>,
): Promise<string> {
  return coalesce(form, (request) =>
    idempotentWrite(request, async (db) => responseWith(await work(db))),
  );
}

/** Stores a form's resource once, and returns its ID. */
export async function insertFormOnce(
  form: Form,
  make: () => Insertion<{ id: string }> | Promise<Insertion<{ id: string }>>,
): Promise<string> {
  return coalesce(form, (request) => insertOnce(request, make, ({ id }) => responseWith(id)));
}

/** Concurrent submissions in this process share a promise instead of polling the database. */
async function coalesce(
  form: Form,
  work: (request: Repeatable) => Promise<HttpResponse>,
): Promise<string> {
  const running = oncePerProcess("http.once", () => new Map<string, Promise<string>>());
  const name = JSON.stringify([form.scope, form.work, form.id]);
  const first = running.get(name);
  if (first) return first;
  const request = { key: form.id, scope: form.scope, path: form.work, content: null };
  const result = retryWhileRunning(() => work(request)).finally(() => running.delete(name));
  running.set(name, result);
  return result;
}

/** Another process may be running the work: polls, holding no connection in between. */
async function retryWhileRunning(work: () => Promise<HttpResponse>): Promise<string> {
  for (const pause of [...PAUSES_MS, undefined]) {
    try {
      return String((await work()).body);
    } catch (error) {
      const isRunning = error instanceof ApiError && error.code === "idempotency_in_progress";
      if (!isRunning || pause === undefined) throw error;
      await setTimeout(pause);
    }
  }
  throw new Error("Unreachable.");
}

function responseWith(result: string): HttpResponse {
  return new HttpResponse(200, {}, result);
}
