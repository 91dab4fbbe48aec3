import { downloadRoute } from "@/app/(dashboard)/_shared/dashboard-route";
import { notFound } from "@/lib/errors";
import * as replies from "@/lib/inboxes/replies/service";

export const GET = downloadRoute<{ id: string; eventId: string }>(
  "inbox-reply.bin",
  async (caller, { id, eventId }) => {
    const reply = await replies.find(caller, id, eventId);
    if (!reply) throw notFound("reply in this inbox", eventId);
    return reply.bytes;
  },
);
