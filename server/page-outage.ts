import type { IncomingMessage, ServerResponse } from "node:http";
import { hasBeenDownSince } from "@/lib/platform/db/failures";

/** Without scripts. The pages' Content Security Policy allows style attributes. */
const PAGE = `<!doctype html>
<html lang="en" style="color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Unavailable · Agent Infrastructure</title>
</head>
<body style="margin: 0">
<main style="max-width: 40rem; margin: 0 auto; padding: 4rem 1rem">
<h1 style="margin: 0; font-size: 1.5rem; line-height: 1.3">This page is not available right now</h1>
<p>The service cannot reach its database. Nothing is lost. Reload the page in a moment.</p>
</main>
</body>
</html>
`;

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
