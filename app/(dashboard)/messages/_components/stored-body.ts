import type { StoredBody } from "@/lib/platform/bodies/responses";
import type { Caller } from "@/lib/platform/caller";
import { recordedBytes } from "@/lib/platform/http/recorded-body";
import type { Message } from "@/lib/resources/messages/contract";
import * as messages from "@/lib/resources/messages/service";

/** The body of a message. Throws 404 and 403. */
export async function readStoredBody(caller: Caller, { id }: { id: string }): Promise<StoredBody> {
  return storedBodyOf(await messages.get(caller, id));
}

export function storedBodyOf(message: Message): StoredBody {
  const header = (wanted: string) =>
    Object.entries(message.headers).find(([name]) => name.toLowerCase() === wanted)?.[1] ?? null;
  return {
    bytes: recordedBytes(message),
    contentType: header("content-type"),
    contentEncoding: header("content-encoding"),
  };
}
