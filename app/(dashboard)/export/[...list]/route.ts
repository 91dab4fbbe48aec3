import { requireAccount } from "@/app/_shared/session";
import { dashboardRoute } from "@/app/(dashboard)/_shared/dashboard-route";
import { streamed } from "@/app/(dashboard)/_shared/streamed";
import { exportList, isList } from "@/lib/api/export";
import { matchPath } from "@/lib/api/path";
import { assertScope } from "@/lib/api/perform";
import { operations } from "@/lib/api/registry";
import { ApiError } from "@/lib/platform/errors";

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
  const filters = new URL(request.url).searchParams;
  filters.delete("owner"); // see `dashboardRoute`
  return streamed(request, (credential) =>
    exportList(operation, { caller, credential, request, params, search: String(filters) }),
  );
});

/** In seconds: the longest time that Vercel allows. */
export const maxDuration = 300;
