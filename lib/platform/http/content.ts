import { ApiError } from "@/lib/platform/errors";
import { entityTag, entityTags, isUnchanged } from "./conditional";
import type { HttpRequest } from "./request";
import { HttpResponse } from "./response";

/**
 * Serves stored bytes with a strong `ETag`, 304 for `If-None-Match`, and 206 for a single byte
 * range (RFC 9110 §14). Throws 412 if `If-Match` names other bytes, and 416 for a range beyond the end.
 */
export function contentResponse(
  request: HttpRequest,
  bytes: Buffer<ArrayBuffer>,
  headers: Record<string, string>,
): HttpResponse {
  const size = bytes.length;
  // The media type is part of the representation, and so of its tag.
  const tag = entityTag(`${headers["Content-Type"]}\n${entityTag(bytes)}`);
  const described = { ...headers, ETag: tag, "Accept-Ranges": "bytes" };
  assertMatch(request, tag);
  if (isUnchanged(request, tag)) return new HttpResponse(304, described, null);
  const range = rangeOf(request, tag, size);
  if (range === undefined) return new HttpResponse(200, described, bytes);
  // A copy, so that a slow reader of a short range does not keep the whole content in memory.
  const part = Buffer.from(bytes.subarray(range.start, range.end));
  const partial = {
    ...described,
    // Next would compress it, but the range and the ETag describe the uncompressed bytes.
    "Cache-Control": `${headers["Cache-Control"]}, no-transform`,
    "Content-Range": `bytes ${range.start}-${range.end - 1}/${size}`,
  };
  return new HttpResponse(206, partial, part);
}

/** Throws 412 if `If-Match` lacks the tag: a browser may join only parts of the same bytes. */
function assertMatch({ headers }: HttpRequest, tag: string) {
  const wanted = headers.get("if-match");
  if (wanted === null || wanted.trim() === "*" || entityTags(wanted).includes(tag)) return;
  const message = "The content has changed: its ETag does not match If-Match. Read it again.";
  throw new ApiError("precondition_failed", message);
}

/** Undefined for the whole content. Anything but a single byte range may be ignored (§14.2). */
function rangeOf(request: HttpRequest, tag: string, size: number) {
  const header = request.method === "GET" ? request.headers.get("range") : null;
  const condition = request.headers.get("if-range");
  const [, first, last] = /^\s*bytes\s*=\s*(\d*)-(\d*)\s*$/i.exec(header ?? "") ?? [];
  if (first === undefined || last === undefined || first + last === "") return undefined;
  if (condition !== null && condition !== tag) return undefined;
  if (first !== "" && last !== "" && Number(last) < Number(first)) return undefined;
  const start = first === "" ? Math.max(size - Number(last), 0) : Number(first);
  const end = first === "" || last === "" ? size : Math.min(Number(last) + 1, size);
  if (start < end) return { start, end };
  throw new ApiError("range_not_satisfiable", `The content has ${size} bytes.`, {
    headers: { "Content-Range": `bytes */${size}` },
  });
}
