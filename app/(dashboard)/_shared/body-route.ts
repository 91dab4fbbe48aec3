import { assertSignedInAs } from "@/app/_shared/session";
import { CHECKED_MS } from "@/lib/identity/credential";
import {
  type Choice,
  choiceOf,
  downloadResponse,
  previewResponse,
  type StoredBody,
} from "@/lib/platform/bodies/responses";
import type { Caller } from "@/lib/platform/caller";
import { clientAddress } from "@/lib/platform/http/address";
import type { HttpResponse } from "@/lib/platform/http/response";
import { Gate } from "@/lib/platform/limits/gate";
import { oncePerProcess } from "@/lib/platform/process";
import { dashboardRoute } from "./dashboard-route";

type Read<Params> = (caller: Caller, params: Params) => Promise<StoredBody>;

/** A body of a few kilobytes may be megabytes when it is unpacked. */
const gate = oncePerProcess(
  "bodies.gate",
  () =>
    new Gate({
      running: 4,
      runningPerNetwork: 2,
      waiting: 500,
      // The pictures of one multipart body.
      waitingPerNetwork: 100,
      waitMsMax: 10_000,
      turnMsMax: 30_000,
      message: "Too many bodies at once. Try again in a moment.",
    }),
);

/** Downloads an untrusted body. `?unpacked` decompresses it, and `?part=` downloads one of its parts. */
export function downloadRoute<Params>(fileName: string, read: Read<Params>) {
  return bodyRoute(read, (body, choice) => downloadResponse(body, choice, fileName));
}

/** The document that the page of an untrusted body shows, in a frame or as an image. */
export function previewRoute<Params>(read: Read<Params>) {
  return bodyRoute(read, previewResponse);
}

function bodyRoute<Params>(
  read: Read<Params>,
  respond: (body: StoredBody, choice: Choice) => Promise<HttpResponse>,
) {
  return dashboardRoute<Params>((caller, params, request) => {
    const since = performance.now();
    return gate.run({ address: clientAddress(request), signal: request.signal }, async () => {
      if (performance.now() - since > CHECKED_MS) await assertSignedInAs(caller);
      return respond(await read(caller, params), choiceOf(request.url));
    });
  });
}
