import { organizationOf } from "@/lib/identity/access";
import type { Caller } from "@/lib/platform/caller";
import type { Row } from "@/lib/platform/db/columns";
import {
  afterCommit,
  query,
  queryOne,
  sql,
  type Transaction,
  transaction,
} from "@/lib/platform/db/sql";
import { QUESTION_HEADER } from "@/lib/platform/http/relayed";
import { ownEvent, sendToOwned } from "@/lib/resources/inboxes/events/send";
import { assertInboxOwner, sameOwner } from "@/lib/resources/inboxes/owned";
import { enqueue } from "@/lib/resources/messages/enqueue";
import { assertReachable } from "@/lib/resources/messages/target";
import { countStored, countStoredByNetwork } from "@/lib/resources/storage/stored-bytes";
import { RESOURCE_BYTES } from "@/lib/resources/storage/stored-bytes-sum";
import { walk } from "@/lib/resources/walk";
import type { QuestionCreate } from "./contract";
import { QUESTION_COLUMNS, type QuestionRow, replyToOf, serializeQuestion } from "./serialize";

const JSON_TYPE = "application/json";

const INBOX = { param: "reply_to.inbox_id", refusal: sameOwner("question") };

/** Throws 400, 403 and 404 unless a question of the caller may reply there. */
export async function assertReplyTo(
  caller: Caller,
  to: QuestionCreate["reply_to"],
  db?: Transaction,
): Promise<void> {
  assertReplyReachable(caller, to);
  if (to?.inbox_id === undefined) return;
  await assertInboxOwner(caller, organizationOf(caller), to.inbox_id, INBOX, db);
}

/** Throws 403 when a foreign web page ends a question that replies to this machine or a private network. */
export function assertReplyReachable(caller: Caller, to: QuestionCreate["reply_to"]): void {
  if (to?.url !== undefined) assertReachable(caller, to.url, "reply_to.url");
}

/**
 * Reports once how a question ended. Call it in the transaction that ends the question
 * or that has locked it. False if the inbox is full, so that the sweep tries again.
 */
export async function sendReply(
  row: QuestionRow,
  db: Transaction,
  { frees }: { frees: boolean },
): Promise<boolean> {
  const to = replyToOf(row);
  const body = bodyOf(row);
  const { organization_id, network } = row;
  const bytes = body.length + RESOURCE_BYTES;
  if (to?.url !== undefined) {
    await enqueue([messageOf(row, to.url, body)], db);
    afterCommit(db, () => countStored(organization_id, network, bytes));
  }
  if (to?.inbox_id !== undefined) {
    const event = ownEvent(body, { "content-type": JSON_TYPE });
    const outcome = await sendToOwned(to.inbox_id, organization_id, event, db, { frees });
    if (outcome === "full") return false;
    afterCommit(db, () => countStoredByNetwork(organization_id, network, bytes));
  }
  await db.question.update({ where: { id: row.id }, data: { replied_at: row.now } });
  return true;
}

/** Targets that were full or failed during this walk. Each is tried once, however many replies wait for it. */
const stuck = new Set<string | null>();

/** Sends about `limit` replies to questions that have ended. */
export const sendPendingReplies = walk("A reply could not be sent", {
  page(after, limit) {
    if (after === "") stuck.clear();
    return query<Row<"Question", "id" | "reply_to">>(sql`
      SELECT id, reply_to FROM questions
      WHERE reply_to IS NOT NULL AND replied_at IS NULL AND state <> 'open' AND id > ${after}
      ORDER BY id LIMIT ${limit}`);
  },
  async work({ id, reply_to }) {
    if (stuck.has(reply_to)) return 0;
    stuck.add(reply_to);
    const isSent = await sendPending(id);
    if (isSent !== false) stuck.delete(reply_to);
    return isSent ? 1 : 0;
  },
});

/** Undefined if another process has it. */
function sendPending(id: string): Promise<boolean | undefined> {
  return transaction(async (db) => {
    // (a) Locked, so that no two processes send the same reply.
    const row = await queryOne<QuestionRow>(
      sql`SELECT ${QUESTION_COLUMNS} FROM questions
          WHERE id = ${id} AND replied_at IS NULL FOR NO KEY UPDATE SKIP LOCKED`,
      db,
    );
    return row && sendReply(row, db, { frees: true });
  });
}

function bodyOf(row: QuestionRow): Buffer {
  const question = serializeQuestion(row);
  return Buffer.from(JSON.stringify({ type: `questions.${question.state}`, data: question }));
}

function messageOf(row: QuestionRow, url: string, body: Buffer) {
  const { id, organization_id, claim_token_digest, network, public_only } = row;
  return {
    question_id: id,
    organization_id,
    // The question's claim token then claims the message, too.
    claim_token_digest: organization_id === null ? claim_token_digest : null,
    network,
    changed_without_token: row.changed_without_token,
    url,
    method: "POST",
    headers: { "Content-Type": JSON_TYPE, [QUESTION_HEADER]: id },
    body,
    public_only,
  } as const;
}
