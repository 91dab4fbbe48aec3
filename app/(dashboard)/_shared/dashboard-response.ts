import { toApiError } from "@/lib/http/errors";
import { Answer } from "@/lib/http/operation";

/**
 * What a page fetches for itself with the session's cookie, such as the document in its frame. The
 * API reads no cookies, so these routes are the dashboard's own.
 */
export async function dashboardResponse(work: () => Promise<Answer>): Promise<Response> {
  try {
    const { status, headers, body } = await work();
    return new Response(body, { status, headers });
  } catch (thrown) {
    const error = toApiError(thrown);
    if (error.code === "internal_error") console.error(thrown);
    // What is another organization's looks like what does not exist, as on the pages.
    const hidden = error.code === "forbidden" || error.code === "resource_not_found";
    const status = hidden ? 404 : error.status;
    return new Response(hidden ? "There is nothing here." : error.message, {
      status,
      headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" },
    });
  }
}

/** One line that tells a page how something is now; see components/ui/keep-fresh.tsx. */
export function textAnswer(line: string): Answer {
  const headers = { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" };
  return new Answer(200, headers, line);
}
