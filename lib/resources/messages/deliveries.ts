import { prisma } from "@/lib/platform/db/prisma";
import type { Message } from "./contract";

/** What became of a message. Only its target shows whether it arrived. */
export type Delivery = Pick<
  Message,
  "status" | "attempts" | "response_status" | "last_error" | "next_attempt_at"
>;

/** What became of an owner's messages among these IDs, by ID. */
export async function deliveriesOf(
  organization_id: string | null,
  ids: readonly (string | null)[],
): Promise<Map<string, Delivery>> {
  const asked = ids.flatMap((id) => (id?.startsWith("msg_") ? [id] : []));
  if (asked.length === 0) return new Map();
  const messages = await prisma.scheduledMessage.findMany({
    where: { id: { in: asked }, organization_id },
    select: {
      id: true,
      status: true,
      attempts: true,
      response_status: true,
      last_error: true,
      due_at: true,
    },
  });
  return new Map(
    messages.map(({ id, due_at, ...message }) => [
      id,
      { ...message, next_attempt_at: message.status === "failed" ? due_at : null },
    ]),
  );
}
