import { createHash } from "node:crypto";
import { ApiError } from "@/lib/platform/errors";
import { toJson } from "./json-text";
import type { HttpRequest } from "./request";
import { HttpResponse } from "./response";

/** Throws 412 when the resource, as a single read would return it, does not match `If-Match`. */
export type Precondition = (resource: unknown) => void;

/** Members that change without a write to the resource, because events arrive or time passes. */
const VOLATILE = [
  "event_count",
  "overdue",
  "next_runs",
  "last_run_at",
  "held_reason",
  "held_count",
];

/** A strong entity tag of a response body (RFC 9110 §8.8.3). */
export function entityTag(body: string | Uint8Array): string {
  return `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;
}

/**
 * The entity tag of a single read: `"stable.volatile"`, without the second part for resources that
 * have no volatile members. `If-None-Match` compares both parts, `If-Match` only the first, so that
 * a new event does not invalidate a writer's tag.
 */
export function resourceTag(resource: unknown, json = toJson(resource)): string {
  const members = Object(resource);
  const passing = VOLATILE.map((name) => members[name]).filter((value) => value !== undefined);
  if (passing.length === 0) return entityTag(json);
  return `${stableTag(resource).slice(0, -1)}.${passing.flat().join(".")}"`;
}

/** The part of a tag that `If-Match` compares. */
function stablePart(tag: string): string {
  return tag.replace(/\.[^"]*"$/, '"');
}

/**
 * The response to a write of `resource`, which is given as a single read returns it. Carries that
 * read's `ETag` for the next write, and omits members shown only on single reads.
 */
export function changed(resource: unknown): HttpResponse {
  return new HttpResponse(
    200,
    { "Content-Type": "application/json", ETag: resourceTag(resource) },
    toJson({ ...Object(resource), event_count: undefined }),
  );
}

/** The request's `If-Match`, if it has one. Weak tags never match (RFC 9110 §13.1.1). */
export function preconditionOf(request: HttpRequest): Precondition | undefined {
  const header = request.headers.get("if-match");
  if (header === null || header.trim() === "*") return undefined;
  const wanted = entityTags(header).map(stablePart);
  return (resource) => {
    if (wanted.includes(stableTag(resource))) return;
    throw new ApiError(
      "precondition_failed",
      "The resource has changed: its ETag does not match If-Match. Read it again.",
    );
  };
}

/** Adds the entity tag, or responds with 304 if it matches `If-None-Match`. */
export function conditional(request: HttpRequest, response: HttpResponse): HttpResponse {
  if (response.body instanceof ReadableStream) throw new Error("A stream has no entity tag.");
  const tag = response.headers.ETag ?? entityTag(response.body ?? "");
  const headers = {
    "Cache-Control": response.headers["Cache-Control"] ?? "private, no-cache",
    ETag: tag,
  };
  return isUnchanged(request, tag)
    ? new HttpResponse(304, headers, null)
    : new HttpResponse(response.status, { ...response.headers, ...headers }, response.body);
}

/** An entity tag of the resource without its volatile members. */
export function stableTag(resource: unknown): string {
  const described = Object.entries(Object(resource)).filter(([name]) => !VOLATILE.includes(name));
  return entityTag(toJson(Object.fromEntries(described)));
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
function entityTags(header: string): string[] {
  return Array.from(header.matchAll(ENTITY_TAG), ([, weak = "", quoted, bare = ""]) => {
    return `${weak}"${quoted ?? bare}"`;
  });
}

const ENTITY_TAG = /(W\/)?(?:"([^"]*)"|([^\s,"]+))/g;
