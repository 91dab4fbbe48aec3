import { Answer } from "@/lib/http/answer";
import { toApiError } from "@/lib/http/error-envelope";

/**
 * The response of a route that dashboard pages fetch with the session's cookie, such as the document
 * in a frame. The API reads no cookies.
 */
export async function dashboardResponse(work: () => Promise<Answer>): Promise<Response> {
  try {
    const { status, headers, body } = await work();
    return new Response(body, { status, headers });
  } catch (thrown) {
    const error = toApiError(thrown);
    if (error.code === "internal_error") console.error(thrown);
    // As on the pages, another organization's resource looks like a missing one.
    const hidden = error.code === "forbidden" || error.code === "resource_not_found";
    const status = hidden ? 404 : error.status;
    return new Response(hidden ? "There is nothing here." : error.message, {
      status,
      headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" },
    });
  }
}

/** One uncached line of text; components/ui/auto-refresh.tsx polls for it. */
export function textAnswer(line: string): Answer {
  const headers = { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" };
  return new Answer(200, headers, line);
}
