import { sessionToken, visitorAddress, watcher } from "@/app/_shared/session";
import { dashboardRoute } from "@/app/(dashboard)/_shared/dashboard-route";
import { sessionCredential } from "@/lib/identity/credential";
import { viewOf } from "@/lib/identity/sessions/visitor";
import { ApiError } from "@/lib/platform/errors";
import { HttpResponse } from "@/lib/platform/http/response";
import { onStreamEnd, takeConnectionSlot } from "@/lib/platform/limits/connection-slots";
import { followable, SIGNAL_ENDPOINTS_MAX, streamSignals } from "@/lib/resources/changes/signals";

/**
 * The only stream of a browser. `view` names the session and organization for which its pages were
 * rendered, and `endpoint` (repeatable) the endpoints whose captures they show.
 */
export const GET = dashboardRoute(async (caller, _, request) => {
  const { searchParams } = new URL(request.url);
  const now = await watcher();
  if (searchParams.get("view") !== viewOf(now.account)) {
    throw new ApiError("unauthorized", "This page belongs to another session or organization.");
  }
  const wanted = [...new Set(searchParams.getAll("endpoint"))].slice(0, SIGNAL_ENDPOINTS_MAX);
  const credential = sessionCredential(await sessionToken(), now);
  // Only endpoints that the visitor may read count, so nobody can use up the limits of others.
  const endpoints = await followable(caller, wanted);
  const ids = endpoints.map(({ id }) => id);
  const release = takeConnectionSlot({ kind: "stream", endpoints: ids }, await visitorAddress());
  try {
    const signals = await streamSignals(caller, endpoints, request.signal, credential);
    return new HttpResponse(
      200,
      { "Content-Type": "text/event-stream", "Cache-Control": "no-store, no-transform" },
      onStreamEnd(signals, request.signal, release),
    );
  } catch (error) {
    release();
    throw error;
  }
});

/** In seconds. Streams end sooner. */
export const maxDuration = 300;
