import * as z from "zod";
import { dashboardRoute, jsonResponse } from "@/app/(dashboard)/_shared/dashboard-route";
import { queryDocument, validate } from "@/lib/platform/http/validation";
import { forwardedOf } from "@/lib/resources/webhooks/forward/deliveries";

const Query = z.strictObject({ ids: z.string().max(10_000).default("") });

/** Where these events went, by ID, for rows whose outcome may still change. */
export const GET = dashboardRoute<{ id: string }>(async (caller, { id }, request) => {
  const { ids } = validate(Query, queryDocument(Query, new URL(request.url).search.slice(1)));
  return jsonResponse(await forwardedOf(caller, id, ids.split(",").slice(0, 200)));
});
