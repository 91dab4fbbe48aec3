import { setTimeout } from "node:timers/promises";
import type { Db } from "@/lib/db/sql";
import { ApiError } from "@/lib/errors";
import { Answer } from "@/lib/http/answer";
import { idempotent, idempotentWrite, type Repeatable } from "@/lib/http/idempotency";
import { oncePerProcess } from "@/lib/process";

/** How long a second submission waits for the first to end: 3 s in all. */
const PAUSES_MS = [50, 100, 200, 400, 750, 750, 750];

interface Form {
  /** Names the shown form. */
  id: string;
  /** Who it was shown to. */
  scope: string;
  work: string;
}

/**
 * Does a form's work once, however often its button was pressed: a second submission of the same form
 * gets the first one's result.
 */
export async function once(form: Form, work: () => Promise<string>): Promise<string> {
  return shared(form, (request) => idempotent(request, async () => answer(await work())));
}

/** The same for work that only writes to `db`, in one transaction with the memory of it. */
export async function writeOnce(form: Form, work: (db: Db) => Promise<string>): Promise<string> {
  return shared(form, (request) => idempotentWrite(request, async (db) => answer(await work(db))));
}

/** Submissions that reach this process together wait for one another without asking the database. */
async function shared(form: Form, work: (request: Repeatable) => Promise<Answer>): Promise<string> {
  const running = oncePerProcess("http.once", () => new Map<string, Promise<string>>());
  const name = JSON.stringify([form.scope, form.work, form.id]);
  const first = running.get(name);
  if (first) return first;
  const request = { key: form.id, scope: form.scope, path: form.work, content: null };
  const result = patient(() => work(request)).finally(() => running.delete(name));
  running.set(name, result);
  return result;
}

/** Another process may be at it: asks again, and holds no connection between the questions. */
async function patient(work: () => Promise<Answer>): Promise<string> {
  for (const pause of [...PAUSES_MS, undefined]) {
    try {
      return String((await work()).body);
    } catch (error) {
      const isRunning = error instanceof ApiError && error.code === "idempotency_in_progress";
      if (!isRunning || pause === undefined) throw error;
      await setTimeout(pause);
    }
  }
  throw new Error("The last try neither returned nor threw.");
}

function answer(result: string): Answer {
  return new Answer(200, {}, result);
}
