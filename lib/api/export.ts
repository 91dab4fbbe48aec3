import { setTimeout as pause } from "node:timers/promises";
import * as z from "zod";
import type { Credential } from "@/lib/identity/credential";
import type { Caller } from "@/lib/platform/caller";
import { unavailable } from "@/lib/platform/errors";
import { preferredType } from "@/lib/platform/http/accept";
import { toApiError } from "@/lib/platform/http/error-envelope";
import { toJsonLine } from "@/lib/platform/http/json-text";
import type { Operation } from "@/lib/platform/http/operation";
import type { HttpRequest } from "@/lib/platform/http/request";
import { HttpResponse } from "@/lib/platform/http/response";
import { turnsOf } from "@/lib/platform/limits/search-gate";
import { LIMIT_MAX, type List } from "@/lib/platform/lists/list";
import { stopping } from "@/lib/platform/process";
import { logError } from "@/lib/platform/telemetry/log";

/** The media type of an exported list: JSON lines. */
export const JSON_LINES = "application/x-ndjson";
/** The media types that ask for it. */
const LINE_TYPES = [JSON_LINES, "application/jsonl"];

/** The parameters with which lists wait, and exports do not. */
const WAITS = ["wait", "wait_seconds"];

/** Whether the operation is a list with pages. */
export function isList({ method, query, success }: Operation): boolean {
  const isPaged = query !== null && "after" in query.shape && "limit" in query.shape;
  return method === "GET" && isPaged && success.schema instanceof z.ZodObject;
}

/** Whether the request asks for the whole list, as JSON lines. */
export function wantsLines(operation: Operation, request: HttpRequest): boolean {
  const accept = request.headers.get("accept");
  return (
    isList(operation) &&
    preferredType(accept, ["application/json", ...LINE_TYPES]) !== "application/json"
  );
}

interface Asked {
  caller: Caller;
  credential: Credential;
  request: HttpRequest;
  params: Record<string, string>;
  /** The query. */
  search: string;
}

/** Streams a list of the API from the query's position to its end, as `exportPages` does. */
export function exportList(operation: Operation, asked: Asked): Promise<HttpResponse> {
  const { caller, request, params, credential } = asked;
  const asPages = new URLSearchParams(asked.search);
  asPages.set("limit", String(LIMIT_MAX));
  asPages.delete("include");
  // Nothing waits within a turn. A list that has no such parameter still refuses it.
  for (const name of WAITS) if (asPages.has(name)) asPages.set(name, "0");
  return exportPages({ fileName: fileName(operation), request, credential }, async (after) => {
    if (after !== undefined) asPages.set("after", after);
    const accepted = await operation.accept({
      request,
      caller,
      params,
      search: String(asPages),
      precondition: undefined,
    });
    // Guaranteed by the schema of every list.
    return async () => (await accepted.run()) as List<unknown>;
  });
}

interface Export {
  fileName: string;
  request: HttpRequest;
  credential: Credential;
}

/** Checks the request for the page after this ID, or for the first page, and returns a function that reads it. */
type PreparePage = (after?: string) => Promise<() => Promise<List<unknown>>>;

/**
 * Streams the pages of a list, one item a line. They are read at the reader's pace, each in a turn at
 * the search gate and after a pause as long as the last one took. If a page cannot be read or the
 * credential ends, the connection breaks. Throws the errors of the first page.
 */
export async function exportPages(asked: Export, prepare: PreparePage): Promise<HttpResponse> {
  const lines = linesFrom(await readPage(asked, prepare), asked, prepare);
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await lines.next();
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (error) {
          // The status has been sent.
          const isExpected = asked.request.signal.aborted || toApiError(error).status !== 500;
          if (!isExpected) logError("An export broke off:", error);
          throw error;
        }
      },
    },
    { highWaterMark: 0 },
  );
  const headers = {
    "Content-Type": preferredType(asked.request.headers.get("accept"), LINE_TYPES),
    "Content-Disposition": `attachment; filename="${asked.fileName}"`,
    "Cache-Control": "private, no-store",
    Vary: "Accept",
  };
  return new HttpResponse(200, headers, body);
}

interface ReadPage {
  page: List<unknown>;
  milliseconds: number;
}

/** Yields the lines of each page, beginning with `first`. */
async function* linesFrom(first: ReadPage, asked: Export, prepare: PreparePage) {
  const encoder = new TextEncoder();
  for (let { page, milliseconds } = first; ; ) {
    // Nothing is sent once the key has ended, however long the page took.
    await asked.credential.assertLive();
    const text = page.data.map((item) => `${toJsonLine(item)}\n`).join("");
    // A page of a search may be empty.
    if (text !== "") yield encoder.encode(text);
    if (!page.has_more || page.next_cursor === null) return;
    await pause(milliseconds);
    if (stopping.signal.aborted) throw unavailable("The server is stopping.");
    ({ page, milliseconds } = await readPage(asked, prepare, page.next_cursor));
  }
}

async function readPage(
  { request }: Export,
  prepare: PreparePage,
  after?: string,
): Promise<ReadPage> {
  const began = performance.now();
  const read = await prepare(after);
  const page = await turnsOf(request, { isUnderWay: after !== undefined })(read);
  return { page, milliseconds: performance.now() - began };
}

/** For example `webhooks-events.jsonl`. */
function fileName({ path }: Operation): string {
  const parts = path.split("/").filter((part) => !/^(api)?$|[{]/.test(part));
  return `${parts.join("-")}.jsonl`;
}
