import { sessionToken, visitor, visitorAddress } from "@/app/_shared/session";
import { type Credential, sessionCredential } from "@/lib/identity/credential";
import { HttpResponse } from "@/lib/platform/http/response";
import { onStreamEnd, takeConnectionSlot } from "@/lib/platform/limits/connection-slots";

/** A response that streams for a visitor: it holds a slot of their address until it ends. */
export async function streamed(
  request: Request,
  open: (credential: Credential) => Promise<HttpResponse>,
): Promise<HttpResponse> {
  const credential = sessionCredential(await sessionToken(), await visitor());
  const release = takeConnectionSlot({ kind: "stream" }, await visitorAddress());
  try {
    const response = await open(credential);
    if (!(response.body instanceof ReadableStream)) throw new Error("An export is a stream.");
    const lines = onStreamEnd(response.body, request.signal, release);
    return new HttpResponse(response.status, response.headers, lines);
  } catch (error) {
    release();
    throw error;
  }
}
