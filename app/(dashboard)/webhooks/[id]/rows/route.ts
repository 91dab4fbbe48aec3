import { visitor } from "@/app/_shared/session";
import { dashboardResponse } from "@/app/(dashboard)/_shared/dashboard-response";
import { Answer } from "@/lib/http/answer";
import { queryDocument, validate } from "@/lib/http/validation";
import { WebhookEventListQuery } from "@/lib/webhooks/events/contract";
import { lines } from "@/lib/webhooks/events/lines";

/** As many lines as a fast scroll passes in the time of one request. */
const LINES = 500;

const RowsQuery = WebhookEventListQuery.pick({ method: true, q: true, after: true, include: true });

interface Context {
  params: Promise<{ id: string }>;
}

/** The rows of an endpoint's list that its page has not shown yet. */
export async function GET(request: Request, { params }: Context): Promise<Response> {
  return dashboardResponse(async () => {
    const { id } = await params;
    const { caller } = await visitor();
    const document = queryDocument(RowsQuery, new URL(request.url).search.slice(1));
    const filter = validate(RowsQuery, document);
    const list = await lines(caller, id, { ...filter, limit: LINES });
    return new Answer(
      200,
      { "Content-Type": "application/json", "Cache-Control": "private, no-store" },
      JSON.stringify(list),
    );
  });
}
