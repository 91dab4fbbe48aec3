import { createHash } from "node:crypto";
import { ApiError } from "@/lib/errors";
import { Answer } from "./answer";
import { toJson } from "./json-text";
import type { HttpRequest } from "./request";

/** Throws 412 when a resource, as a single read would show it now, is not what `If-Match` names. */
export type Precondition = (resource: unknown) => void;

/** Members of a resource that change although nobody changes it: events arrive, and time passes. */
const PASSING = ["event_count", "overdue"];

/** A strong entity tag of an answer's bytes (RFC 9110 §8.8.3). */
export function entityTag(body: string | Uint8Array): string {
  return `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;
}

/**
 * The entity tag of a resource as a single read shows it: `"described.passing"`, where the second part
 * is left out for resources without passing members. `If-None-Match` compares both parts, `If-Match`
 * only the first, so that a new event does not make a writer's tag stale.
 */
export function resourceTag(resource: unknown, json = toJson(resource)): string {
  const members = Object(resource);
  const passing = PASSING.map((name) => members[name]).filter((value) => value !== undefined);
  if (passing.length === 0) return entityTag(json);
  return `${describedTag(resource).slice(0, -1)}.${passing.join(".")}"`;
}

/** What `If-Match` compares of a tag. */
function describedPart(tag: string): string {
  return tag.replace(/\.[^"]*"$/, '"');
}

/**
 * The answer to a change of a resource, which is given as a single read shows it. It has the `ETag`
 * of that read, so that the next change needs none, and leaves out what only single reads show.
 */
export function changed(resource: unknown): Answer {
  return new Answer(
    200,
    { "Content-Type": "application/json", ETag: resourceTag(resource) },
    toJson({ ...Object(resource), event_count: undefined }),
  );
}

/** The request's `If-Match`, if it has one. Weak tags never match (RFC 9110 §13.1.1). */
export function preconditionOf(request: HttpRequest): Precondition | undefined {
  const header = request.headers.get("if-match");
  if (header === null || header.trim() === "*") return undefined;
  const wanted = entityTags(header).map(describedPart);
  return (resource) => {
    if (wanted.includes(describedTag(resource))) return;
    throw new ApiError(
      "precondition_failed",
      "The resource has changed: its ETag is not the one in If-Match. Read it again.",
    );
  };
}

/** The answer with its entity tag, or 304 where the request names it in `If-None-Match`. */
export function conditional(request: HttpRequest, answer: Answer): Answer {
  if (answer.body instanceof ReadableStream) throw new Error("A stream has no entity tag.");
  const tag = answer.headers.ETag ?? entityTag(answer.body ?? "");
  const headers = {
    "Cache-Control": answer.headers["Cache-Control"] ?? "private, no-cache",
    ETag: tag,
  };
  return isUnchanged(request, tag)
    ? new Answer(304, headers, null)
    : new Answer(answer.status, { ...answer.headers, ...headers }, answer.body);
}

/** An entity tag of the resource without its passing members. */
export function describedTag(resource: unknown): string {
  const described = Object.entries(Object(resource)).filter(([name]) => !PASSING.includes(name));
  return entityTag(toJson(Object.fromEntries(described)));
}

/** Whether `If-None-Match` names the entity, so that 304 answers it. Compares weakly (§13.1.2). */
export function isUnchanged(request: HttpRequest, tag: string): boolean {
  const header = request.headers.get("if-none-match");
  if (header === null) return false;
  return (
    header.trim() === "*" || entityTags(header).some((given) => given.replace(/^W\//, "") === tag)
  );
}

/** The tags of a header. One without quotes is read as if it had them: shells and clients strip them. */
function entityTags(header: string): string[] {
  return Array.from(header.matchAll(ENTITY_TAG), ([, weak = "", quoted, bare = ""]) => {
    return `${weak}"${quoted ?? bare}"`;
  });
}

const ENTITY_TAG = /(W\/)?(?:"([^"]*)"|([^\s,"]+))/g;
