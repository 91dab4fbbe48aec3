import { hash } from "node:crypto";
import type { HttpRequest } from "./request";
import { HttpResponse } from "./response";

/**
 * Throws 412 when the resource is not as the request demands. It is given as a single read would
 * return it, or as undefined if the request would create it.
 */
export type Precondition = (resource: unknown) => void;

/**
 * Stands for a resource without an entity tag, such as a list. Only `If-Match: *` passes for it:
 * other preconditions throw 400, or 412 for a PUT with `If-None-Match: *`.
 */
export const WITHOUT_TAG = {};

/** A strong entity tag of a response body (RFC 9110 §8.8.3). */
export function entityTag(body: string | Uint8Array): string {
  return `"${hash("sha256", body, "base64url").slice(0, 22)}"`;
}

/** Adds the entity tag, or responds with 304 if the tag of a 200 matches `If-None-Match`. */
export function conditional(request: HttpRequest, response: HttpResponse): HttpResponse {
  if (response.body instanceof ReadableStream) throw new Error("A stream has no entity tag.");
  const tag = response.headers.ETag ?? entityTag(response.body ?? "");
  const headers = { "Cache-Control": "private, no-cache", ETag: tag, ...response.headers };
  return response.status === 200 && isUnchanged(request, tag)
    ? new HttpResponse(304, ofUnchanged(headers), null)
    : new HttpResponse(response.status, headers, response.body);
}

/** The headers of a 200 that its 304 repeats (RFC 9110 §15.4.5). */
function ofUnchanged(headers: Record<string, string>): Record<string, string> {
  // By its media type the server decides whether to compress, and so whether the tag is weak.
  const names = ["Cache-Control", "ETag", "Vary", "Content-Type"];
  return Object.fromEntries(Object.entries(headers).filter(([name]) => names.includes(name)));
}

/** Whether `If-None-Match` matches, by weak comparison (§13.1.2). */
export function isUnchanged(request: HttpRequest, tag: string): boolean {
  const header = request.headers.get("if-none-match");
  if (header === null) return false;
  return (
    header.trim() === "*" || entityTags(header).some((given) => given.replace(/^W\//, "") === tag)
  );
}

/** The tags in a header. Accepts tags without quotes, since shells and clients strip them. */
export function entityTags(header: string): string[] {
  return Array.from(header.matchAll(ENTITY_TAG), ([, weak = "", quoted, bare = ""]) => {
    return `${weak}"${quoted ?? bare}"`;
  });
}

const ENTITY_TAG = /(W\/)?(?:"([^"]*)"|([^\s,"]+))/g;

/** A tag that changes whenever the shown data does. */
export function versionTag(shown: object): string {
  return entityTag(JSON.stringify(shown));
}
