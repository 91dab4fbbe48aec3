import {
  choiceOf,
  downloadResponse,
  previewResponse,
  type StoredBody,
} from "@/lib/platform/bodies/responses";
import type { Caller } from "@/lib/platform/caller";
import { dashboardRoute } from "./dashboard-route";

type Read<Params> = (caller: Caller, params: Params) => Promise<StoredBody>;

/** Downloads an untrusted body. `?unpacked` decompresses it, and `?part=` downloads one of its parts. */
export function downloadRoute<Params>(fileName: string, read: Read<Params>) {
  return dashboardRoute<Params>(async (caller, params, request) =>
    downloadResponse(await read(caller, params), choiceOf(request.url), fileName),
  );
}

/** The document that the page of an untrusted body shows, in a frame or as an image. */
export function previewRoute<Params>(read: Read<Params>) {
  return dashboardRoute<Params>(async (caller, params, request) =>
    previewResponse(await read(caller, params), choiceOf(request.url)),
  );
}
