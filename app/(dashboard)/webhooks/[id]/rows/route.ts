import { dashboardRoute, jsonAnswer } from "@/app/(dashboard)/_shared/dashboard-route";
import { queryDocument, validate } from "@/lib/http/validation";
import { WebhookEventListQuery } from "@/lib/webhooks/events/contract";
import { lines } from "@/lib/webhooks/events/lines";

/** About as many as a fast scroll passes during one request. */
const ROWS = 500;

const RowsQuery = WebhookEventListQuery.pick({
  method: true,
  q: true,
  header: true,
  after: true,
  include: true,
});

/** The rows that follow those on the page. */
export const GET = dashboardRoute<{ id: string }>(async (caller, { id }, request) => {
  const document = queryDocument(RowsQuery, new URL(request.url).search.slice(1));
  const filter = validate(RowsQuery, document);
  return jsonAnswer(await lines(caller, id, { ...filter, limit: ROWS }));
});
