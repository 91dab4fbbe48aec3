import type { IncomingMessage, ServerResponse } from "node:http";
import { hasBeenDownSince } from "@/lib/platform/db/failures";
import { unreadableForm } from "@/lib/platform/http/form-size";
import { refusedPage } from "@/lib/platform/http/missing-page";
import { plainPage, withoutScripts } from "@/lib/platform/http/plain-page";
import { isUnreadForm, type PageTurn } from "@/lib/platform/limits/page-turn";
import { NodeHeaders } from "./node-request";

/** What replaces a response of Next; without a `body`, Next's own stays. */
interface Replacement {
  status: number;
  headers: Record<string, string>;
  body?: string;
}

const ACTION_MISSING = "x-nextjs-action-not-found";
const STALE_FORM: Replacement = {
  status: 409,
  headers: {},
  body: "The server has a newer version of this page. Go back, copy what you typed, reload the page, and send it again.\n",
};

const OUTAGE: Replacement = { status: 503, headers: { "Retry-After": "5" } };
const OUTAGE_PAGE: Replacement = {
  status: 503,
  headers: { ...OUTAGE.headers, "Content-Type": "text/html; charset=utf-8" },
  body: plainPage({
    status: 503,
    title: "This page is not available right now",
    sentences: [
      "The service cannot reach its database. Nothing is lost. Reload the page in a moment.",
    ],
  }),
};

const MISSING = withoutScripts({
  title: "There is no page here",
  sentences: [
    "The address may be mistyped, or what was there was deleted or belongs to another organization. IDs are case-sensitive.",
  ],
  links: [
    ["/dashboard", "Dashboard", "what your agents have made"],
    ["/docs", "Documentation", "guides and the reference"],
  ],
});

function refusedForm(request: IncomingMessage): Replacement {
  const { status, headers, body } = refusedPage(new NodeHeaders(request), unreadableForm());
  return { status, headers, body: String(body) };
}

/** Begins Next's document for a page that calls `notFound()`, up to its empty body. */
const EMPTY = /id="__next_error__".*?<body>/s;
/** Begins a component's error in a page for the router. Quotes in text are escaped there. */
const ERROR = ':E{"digest"';

/**
 * Explains five failures of pages that Next does not:
 * - A form without JavaScript, whose action does not exist in this version, gets a text. With
 *   JavaScript, the page reloads instead.
 * - The 500 for a body that Next cannot read as a form becomes a 400.
 * - The 500 of a page that failed because of the database becomes a 503, as in the API.
 * - A page that the router is loading is cut off if its rendering fails because of the database. Its
 *   status is 200 by then, and the router would show an error page; it requests a page again that was
 *   cut off. The response to a form's action is not cut off, since the form would be sent again.
 * - Next renders its 404 in the browser only, so browsers without scripts get a text.
 */
export function explainFailures(
  request: IncomingMessage,
  response: ServerResponse,
  turn: PageTurn | undefined,
): void {
  const started = performance.now();
  const { writeHead, write, end } = response;
  const { rsc, "next-action": action } = request.headers;
  // Other responses go to scripts.
  const isDocument = rsc === undefined && action === undefined;
  const isForRouter = rsc !== undefined && request.method === "GET";
  let replacement: Replacement | undefined;
  const check = (status: unknown) => {
    if (response.headersSent) return replacement;
    replacement = undefined;
    if (status === 500 && hasBeenDownSince(started)) {
      replacement = isDocument ? OUTAGE_PAGE : OUTAGE;
    } else if (status === 500 && isUnreadForm(turn, request.headers)) {
      replacement = refusedForm(request);
    }
    if (isDocument && response.hasHeader(ACTION_MISSING)) replacement = STALE_FORM;
    return replacement;
  };
  let tail = "";
  const hasFailed = (data: Uint8Array) => {
    // The error is written after the failure, so only later chunks are searched.
    if (!isForRouter || !hasBeenDownSince(started)) return false;
    const text = tail + Buffer.from(data).toString("latin1");
    tail = text.slice(1 - ERROR.length);
    return text.includes(ERROR);
  };

  response.writeHead = (...head: unknown[]) => {
    const found = check(typeof head[0] === "number" ? head[0] : response.statusCode);
    if (!found) return Reflect.apply(writeHead, response, head);
    const { status, headers, body } = found;
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    if (body !== undefined) response.setHeader("Content-Length", Buffer.byteLength(body));
    writeHead.call(response, status);
    // Next sets its own status again, and the log would have that.
    return Object.defineProperty(response, "statusCode", { get: () => status, set() {} });
  };
  response.write = (...part: unknown[]) => {
    const [data] = part;
    if (check(response.statusCode)?.body !== undefined) return true;
    if (data instanceof Uint8Array) {
      if (hasFailed(data)) {
        response.destroy();
        return false;
      }
      if (response.statusCode === 404) {
        // Keeps the bytes of a character that a later chunk completes.
        const html = Buffer.from(data).toString("latin1");
        part[0] = Buffer.from(html.replace(EMPTY, `$&${MISSING}`), "latin1");
      }
    }
    return Reflect.apply(write, response, part);
  };
  response.end = (...last: unknown[]) => {
    const body = check(response.statusCode)?.body;
    if (body === undefined) return Reflect.apply(end, response, last);
    if (!response.headersSent) response.writeHead(response.statusCode);
    return Reflect.apply(end, response, [body]);
  };
}
