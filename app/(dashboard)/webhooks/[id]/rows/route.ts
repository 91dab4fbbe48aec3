import { inSearchTurn } from "@/app/_shared/search-turn";
import { dashboardRoute, jsonResponse } from "@/app/(dashboard)/_shared/dashboard-route";
import { queryDocument, validate } from "@/lib/platform/http/validation";
import { isSearch } from "@/lib/platform/limits/search-gate";
import { WebhookEventListQuery } from "@/lib/resources/webhooks/events/contract";
import { lines, newerLines } from "@/lib/resources/webhooks/events/lines";

/** About as many as a fast scroll passes during one request. */
const ROWS = 500;

const RowsQuery = WebhookEventListQuery.pick({
  method: true,
  q: true,
  header: true,
  after: true,
  since: true,
  include: true,
});

/** The rows after those on the page or, with `since`, the newer ones. */
export const GET = dashboardRoute<{ id: string }>(async (caller, { id }, request) => {
  const document = queryDocument(RowsQuery, new URL(request.url).search.slice(1));
  const filter = validate(RowsQuery, document);
  const { since, method } = filter;
  const inTurn = method !== undefined || isSearch(filter);
  const read = () =>
    since === undefined
      ? lines(caller, id, { ...filter, limit: ROWS })
      : newerLines(caller, id, { ...filter, since, limit: ROWS });
  return jsonResponse(await (inTurn ? inSearchTurn(caller, read) : read()));
});
