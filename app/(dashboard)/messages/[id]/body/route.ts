import { visitor } from "@/app/_shared/session";
import { ownAnswer } from "@/app/(dashboard)/_shared/own-route";
import { strangersFile } from "@/app/(dashboard)/_shared/strangers-file";
import * as messages from "@/lib/messages/service";

interface Context {
  params: Promise<{ id: string }>;
}

/** The bytes that a message sends, as a file. */
export async function GET(_: Request, { params }: Context): Promise<Response> {
  return ownAnswer(async () => {
    const { caller } = await visitor();
    const { body, body_encoding } = await messages.get(caller, (await params).id);
    return strangersFile(Buffer.from(body ?? "", body_encoding ?? "utf8"), "message.bin");
  });
}
