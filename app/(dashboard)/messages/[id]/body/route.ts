import { downloadRoute } from "@/app/(dashboard)/_shared/dashboard-route";
import * as messages from "@/lib/messages/service";

export const GET = downloadRoute<{ id: string }>("message.bin", async (caller, { id }) => {
  const { body, body_encoding } = await messages.get(caller, id);
  return Buffer.from(body ?? "", body_encoding ?? "utf8");
});
