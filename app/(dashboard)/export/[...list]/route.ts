import { requireAccount, sessionToken, visitor, visitorAddress } from "@/app/_shared/session";
import { dashboardRoute } from "@/app/(dashboard)/_shared/dashboard-route";
import { exportList, isList } from "@/lib/api/export";
import { matchPath } from "@/lib/api/path";
import { assertScope } from "@/lib/api/perform";
import { operations } from "@/lib/api/registry";
import { sessionCredential } from "@/lib/identity/credential";
import { ApiError } from "@/lib/platform/errors";
import { HttpResponse } from "@/lib/platform/http/response";
import { onStreamEnd, takeConnectionSlot } from "@/lib/platform/limits/connection-slots";

/** Downloads a list of the API as JSON lines, with the session's cookie and the API's filters. */
export const GET = dashboardRoute<{ list: string[] }>(async (caller, { list }, request) => {
  const path = `/api/${list.join("/")}`;
  const [found] = operations.filter(isList).flatMap((operation) => {
    const params = matchPath(operation.path, path, operation);
    return params ? [{ operation, params }] : [];
  });
  if (!found) throw new ApiError("resource_not_found", "There is no such list.");
  const { operation, params } = found;
  if (operation.auth === "required") await requireAccount();
  assertScope(operation, caller);
  const credential = sessionCredential(await sessionToken(), await visitor());
  const release = takeConnectionSlot({ kind: "stream" }, await visitorAddress());
  try {
    const response = await exportList(operation, { caller, credential, request, params });
    if (!(response.body instanceof ReadableStream)) throw new Error("An export is a stream.");
    const lines = onStreamEnd(response.body, request.signal, release);
    return new HttpResponse(response.status, response.headers, lines);
  } catch (error) {
    release();
    throw error;
  }
});

/** In seconds: the longest time that Vercel allows. */
export const maxDuration = 300;
