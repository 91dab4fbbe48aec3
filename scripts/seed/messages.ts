import type { Caller } from "@/lib/platform/caller";
import { unrecorded } from "@/lib/platform/db/commit";
import { join, query, sql } from "@/lib/platform/db/sql";
import { creation } from "@/lib/resources/messages/creation";
import { attemptId } from "@/lib/resources/messages/lease";
import { cancel } from "@/lib/resources/messages/service";
import { LATER, SENT, type Story } from "./content-messages";
import { DAY, HOUR, moveToPast, randomTimes, seededRandom } from "./past";

/** Long enough that no dispatcher leases a message before it has been rewritten. */
const UNTOUCHED_SECONDS = 30 * DAY;
const WAITS_SECONDS = [0, 61, 310, 1820, 7140];

/** Messages delivered, failed and retried in the last day, and scheduled ones. */
export async function makeMessages(caller: Caller): Promise<void> {
  const random = seededRandom(4);
  const stories = SENT.flatMap((story, index) =>
    randomTimes(story.count, DAY, 40 + index).map((ago) => ({ story, ago })),
  ).sort((one, other) => other.ago - one.ago);
  const made = await Promise.all(
    stories.map(async ({ story, ago }, index) => {
      const message = creation(caller, {
        url: story.url,
        method: story.method ?? "POST",
        body: JSON.stringify({ order: 1000 + index, ...story.body }),
        delay_seconds: UNTOUCHED_SECONDS,
      });
      const { id } = await message.store();
      // A message waiting for a retry is still within its last delay.
      const least = story.responses.reduce(
        (sum, _, place) => sum + (WAITS_SECONDS[place] ?? 0),
        10,
      );
      return { id, story, ago: story.goesOn ? least + 20 : Math.max(ago, least) };
    }),
  );
  const ids = await moveToPast(sql`scheduled_messages`, made);
  const told = made.map(({ story, ago }, index) =>
    tell(ids[index] ?? "", story, ago, 80 + Math.floor(random() * 400)),
  );
  await Promise.all(told);
  await makeLater(caller);
}

/** Writes the attempts of a message and its resulting state. */
async function tell(id: string, { responses, goesOn }: Story, ago: number, durationMs: number) {
  let elapsed = 2;
  const attempts = responses.map(
    ({ status, error = null, body = null, took = durationMs }, index) => {
      elapsed += WAITS_SECONDS[index] ?? 0;
      const headers =
        status === null ? null : { "content-type": "application/json", server: "nginx" };
      return sql`(${attemptId(sql`${id}`, sql`${index + 1}::int`)}, ${id}, ${index + 1}::int,
      unix_now() - ${ago - elapsed}::bigint, ${took}::int,
      ${status}::int, ${headers && JSON.stringify(headers)}::json, ${body}::text, ${error}::text)`;
    },
  );
  const last = responses.at(-1);
  if (!last) return;
  await query(sql`INSERT INTO message_attempts (id, message_id, attempt, started_at, duration_ms,
    response_status, response_headers, response_body, error) VALUES ${join(attempts, ", ")}`);
  const next = (WAITS_SECONDS[responses.length] ?? 0) + elapsed - ago;
  await query(sql`
    UPDATE scheduled_messages SET scheduled_at = created_at + 2, attempts = ${responses.length},
      status = ${last.error === undefined ? "delivered" : "failed"}, response_status = ${last.status},
      last_error = ${last.error ?? null}, delivered_at = created_at + ${elapsed}::bigint,
      updated_at = created_at + ${elapsed}::bigint,
      due_at = ${goesOn ? sql`unix_now() + ${Math.max(next, 60)}::bigint` : sql`NULL`}
    WHERE id = ${id}`);
}

async function makeLater(caller: Caller) {
  const rows = [];
  for (const [index, { inSeconds, ...input }] of LATER.entries()) {
    const message = creation(caller, {
      ...input,
      headers: { "content-type": "application/json" },
      delay_seconds: inSeconds,
    });
    const { id } = await message.store();
    rows.push({ id, ago: (index + 1) * 3 * HOUR });
    if (input.url.endsWith("/offsite")) await cancel(caller, id, unrecorded);
  }
  await moveToPast(sql`scheduled_messages`, rows);
}
