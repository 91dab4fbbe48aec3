import { setTimeout as pause } from "node:timers/promises";
import * as z from "zod";
import type { Credential } from "@/lib/identity/credential";
import type { Caller } from "@/lib/platform/caller";
import { preferredType } from "@/lib/platform/http/accept";
import { clientAddress } from "@/lib/platform/http/address";
import { toJson } from "@/lib/platform/http/json-text";
import type { Operation } from "@/lib/platform/http/operation";
import { type HttpRequest, splitUrl } from "@/lib/platform/http/request";
import { HttpResponse } from "@/lib/platform/http/response";
import { searchGate } from "@/lib/platform/limits/search-gate";
import { LIMIT_MAX, type List } from "@/lib/platform/lists/list";
import { stopping } from "@/lib/platform/process";

/** The media type of an exported list: JSON lines. */
export const JSON_LINES = "application/x-ndjson";

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
    preferredType(accept, ["application/json", JSON_LINES, "application/jsonl"]) !==
      "application/json"
  );
}

interface Asked {
  caller: Caller;
  credential: Credential;
  request: HttpRequest;
  params: Record<string, string>;
}

/**
 * Streams a list from the query's position to its end, one item a line. Pages are read at the
 * reader's pace, each in a turn at the search gate and after a pause as long as the last page took.
 * If a page cannot be read or the credential ends, the connection breaks. Throws the list's errors.
 */
export async function exportList(operation: Operation, asked: Asked): Promise<HttpResponse> {
  const { request, credential } = asked;
  const asPages = new URLSearchParams(splitUrl(request.url).search);
  asPages.set("limit", String(LIMIT_MAX));
  asPages.delete("include");
  let next: List<unknown> | undefined = await readPage(operation, asked, asPages, false);
  const encoder = new TextEncoder();
  const lines = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        // A page of a search may be empty.
        for (let text = ""; text === ""; ) {
          const page = next;
          if (!page) return controller.close();
          text = page.data.map((item) => `${toJson(item)}\n`).join("");
          if (text !== "") controller.enqueue(encoder.encode(text));
          if (!page.has_more || page.next_cursor === null) next = undefined;
          else {
            asPages.set("after", page.next_cursor);
            next = await readLater(operation, asked, asPages, credential);
          }
        }
      },
    },
    { highWaterMark: 0 },
  );
  const headers = {
    "Content-Type": JSON_LINES,
    "Content-Disposition": `attachment; filename="${fileName(operation)}"`,
    "Cache-Control": "private, no-store",
    Vary: "Accept",
  };
  return new HttpResponse(200, headers, lines);
}

async function readLater(
  operation: Operation,
  asked: Asked,
  search: URLSearchParams,
  credential: Credential,
): Promise<List<unknown>> {
  if (stopping().signal.aborted) throw new Error("The server is stopping.");
  const began = performance.now();
  const page = await readPage(operation, asked, search, true);
  // Checked after reading, so that nothing is sent once the key has ended.
  await credential.assertLive();
  await pause(performance.now() - began);
  return page;
}

async function readPage(
  operation: Operation,
  { caller, request, params }: Asked,
  search: URLSearchParams,
  isUnderWay: boolean,
): Promise<List<unknown>> {
  const accepted = await operation.accept({
    request,
    caller,
    params,
    search: String(search),
    precondition: undefined,
  });
  const client = { address: clientAddress(request), signal: request.signal, isUnderWay };
  const page = await searchGate().run(client, async () => accepted.run());
  // Guaranteed by the schema of every list.
  return page as List<unknown>;
}

/** For example `webhooks-events.jsonl`. */
function fileName({ path }: Operation): string {
  const parts = path.split("/").filter((part) => !/^(api)?$|[{]/.test(part));
  return `${parts.join("-")}.jsonl`;
}
