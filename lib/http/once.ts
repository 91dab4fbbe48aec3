import { setTimeout } from "node:timers/promises";
import type { Db } from "@/lib/db/sql";
import { ApiError } from "./errors";
import { idempotent } from "./idempotency";
import { Answer } from "./operation";

/** How long a second submission waits for the first to end. */
const TRIES = 20;
const PAUSE_MS = 100;

/**
 * Does a form's work once, however often its button was pressed: a second submission of the same form
 * gets the first one's result. `id` names the shown form, `scope` who it was shown to.
 */
export async function once(
  form: { id: string; scope: string; work: string },
  work: (db: Db) => Promise<string>,
): Promise<string> {
  for (let tries = 1; ; tries += 1) {
    try {
      const answer = await idempotent(
        { key: form.id, scope: form.scope, path: form.work, body: null },
        async (db) => new Answer(200, {}, await work(db)),
      );
      return String(answer.body);
    } catch (error) {
      const first = error instanceof ApiError && error.code === "idempotency_in_progress";
      if (!first || tries === TRIES) throw error;
      await setTimeout(PAUSE_MS);
    }
  }
}
