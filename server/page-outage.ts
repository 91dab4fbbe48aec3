import type { IncomingMessage, ServerResponse } from "node:http";
import { hasBeenDownSince } from "@/lib/platform/db/failures";
import { plainPage } from "@/lib/platform/http/plain-page";

const PAGE = plainPage({
  status: 503,
  title: "This page is not available right now",
  sentences: [
    "The service cannot reach its database. Nothing is lost. Reload the page in a moment.",
  ],
});

/** Turns the 500 of a page that failed because of the database into a 503, as in the API. */
export function explainOutage(request: IncomingMessage, response: ServerResponse): void {
  const started = performance.now();
  const { writeHead, write, end } = response;
  // Other responses go to scripts.
  const { rsc, "next-action": action } = request.headers;
  const isDocument = rsc === undefined && action === undefined;
  let isOutage = false;
  const check = (status: unknown) => {
    if (!response.headersSent) isOutage = status === 500 && hasBeenDownSince(started);
    return isOutage;
  };
  response.writeHead = (...head: unknown[]) => {
    if (!check(typeof head[0] === "number" ? head[0] : response.statusCode)) {
      return Reflect.apply(writeHead, response, head);
    }
    response.setHeader("Retry-After", "5");
    if (isDocument) {
      response.setHeader("Content-Type", "text/html; charset=utf-8");
      response.setHeader("Content-Length", Buffer.byteLength(PAGE));
    }
    return writeHead.call(response, 503);
  };
  response.write = (...part: unknown[]) =>
    (isDocument && check(response.statusCode)) || Reflect.apply(write, response, part);
  response.end = (...last: unknown[]) => {
    if (!isDocument || !check(response.statusCode)) return Reflect.apply(end, response, last);
    if (!response.headersSent) response.writeHead(500);
    return Reflect.apply(end, response, [PAGE]);
  };
}

/** Begins a component's error in a page for the router. Quotes in text are escaped there. */
const ERROR = ':E{"digest"';

/**
 * Cuts off a page that the router is loading if its rendering fails because of the database. Its
 * status is 200 by then, and the router would show an error page; it requests a page again that was
 * cut off. The response to a form's action is not cut off, since the form would be sent again.
 */
export function cutOffOutage(request: IncomingMessage, response: ServerResponse): void {
  if (request.headers.rsc === undefined || request.method !== "GET") return;
  const started = performance.now();
  const { write } = response;
  let tail = "";
  response.write = (...part: unknown[]) => {
    const [data] = part;
    // The error is written after the failure, so only later chunks are searched.
    if (hasBeenDownSince(started) && data instanceof Uint8Array) {
      const text = tail + Buffer.from(data).toString("latin1");
      if (text.includes(ERROR)) {
        response.destroy();
        return false;
      }
      tail = text.slice(1 - ERROR.length);
    }
    return Reflect.apply(write, response, part);
  };
}
