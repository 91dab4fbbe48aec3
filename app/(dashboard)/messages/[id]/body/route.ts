import { visitor } from "@/app/_shared/session";
import { dashboardResponse } from "@/app/(dashboard)/_shared/dashboard-response";
import { untrustedDownload } from "@/app/(dashboard)/_shared/untrusted-download";
import * as messages from "@/lib/messages/service";

interface Context {
  params: Promise<{ id: string }>;
}

/** The bytes that a message sends, as a file. */
export async function GET(_: Request, { params }: Context): Promise<Response> {
  return dashboardResponse(async () => {
    const { caller } = await visitor();
    const { body, body_encoding } = await messages.get(caller, (await params).id);
    return untrustedDownload(Buffer.from(body ?? "", body_encoding ?? "utf8"), "message.bin");
  });
}
