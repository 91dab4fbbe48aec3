import type { IncomingMessage, ServerResponse } from "node:http";

const ACTION_HEADER = "next-action";
const ACTION_MISSING = "x-nextjs-action-not-found";
const MESSAGE =
  "The server has a newer version of this page. Go back, copy what you typed, reload the page, and send it again.\n";

/**
 * Without JavaScript, the response to a form is a page. Replaces Next's short response to a form
 * whose action does not exist in this version. With JavaScript, the page reloads instead.
 */
export function explainStaleForm(request: IncomingMessage, response: ServerResponse): void {
  if (request.method !== "POST" || request.headers[ACTION_HEADER] !== undefined) return;
  const { writeHead, end } = response;
  const isStale = () => response.hasHeader(ACTION_MISSING);
  response.writeHead = (...head: unknown[]) => {
    if (!isStale()) return Reflect.apply(writeHead, response, head);
    response.setHeader("Content-Length", Buffer.byteLength(MESSAGE));
    return writeHead.call(response, 409);
  };
  response.end = (...last: unknown[]) => Reflect.apply(end, response, isStale() ? [MESSAGE] : last);
}
