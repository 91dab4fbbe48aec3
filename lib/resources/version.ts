import { ApiError, invalidParam } from "@/lib/platform/errors";
import {
  entityTag,
  entityTags,
  type Precondition,
  WITHOUT_TAG,
} from "@/lib/platform/http/conditional";
import { claimFields } from "@/lib/platform/http/fields";
import { toJson } from "@/lib/platform/http/json-text";
import type { HttpRequest } from "@/lib/platform/http/request";
import { HttpResponse } from "@/lib/platform/http/response";
import { type Kind, kindOf, kinds } from "./kinds";

const VOLATILE = new Set<string>(kinds.flatMap(({ volatile }) => volatile));

/** Members that `If-Match` does not compare, for each kind, since no write changes them. */
const UNWRITTEN = new Map(
  kinds.map((kind) => [kind, new Set<string>([...VOLATILE, ...(kind.addressed ?? [])])]),
);

/** `UNWRITTEN`, and the members that a read does not show as the create did. */
const OF_CREATES = new Map(
  [...UNWRITTEN].map(([kind, unwritten]) => [
    kind,
    new Set<string>([...unwritten, ...Object.keys(claimFields), ...(kind.onCreates ?? [])]),
  ]),
);

/** Members that only single reads return. */
const ON_SINGLE_READS = kinds.flatMap(({ onSingleReads = [] }) => onSingleReads);

/**
 * The entity tag of a single read: `"stable.passing"`, without the second part for resources that
 * have only members that writes change. `If-None-Match` compares both parts, `If-Match` only the
 * first, so that neither a new event nor another name of this host invalidates a writer's tag.
 */
export function resourceTag(resource: unknown, json?: string): string {
  const members = Object(resource);
  const passing = [...membersOf(UNWRITTEN, resource)]
    .map((name) => members[name])
    .filter((value) => value !== undefined);
  if (passing.length === 0) return entityTag(json ?? toJson(resource));
  return `${stableTag(resource).slice(0, -1)}.${entityTag(toJson(passing)).slice(1)}`;
}

/** An entity tag of the members that writes change. Forms send it back in their field `tag`. */
export function stableTag(resource: unknown): string {
  return tagWithout(membersOf(UNWRITTEN, resource), Object(resource));
}

/** The entity tag of a resource as its create returns it: that of the next read, for `If-Match`. */
export function createdTag(created: object, json = toJson(created)): string {
  return tagWithout(membersOf(OF_CREATES, created), created, json);
}

/** The members for the resource's kind; only the volatile ones for a part of a resource, such as a setting. */
function membersOf(byKind: Map<Kind, Set<string>>, resource: unknown): Set<string> {
  const kind = kindOf(String(Object(resource).id));
  return (kind && byKind.get(kind)) ?? VOLATILE;
}

function tagWithout(omitted: Set<string>, resource: object, json?: string): string {
  const members = Object.entries(resource);
  const described = members.filter(([name]) => !omitted.has(name));
  const isWhole = described.length === members.length;
  return entityTag(isWhole && json ? json : toJson(Object.fromEntries(described)));
}

/**
 * The response to a write of `resource`, which is given as a single read returns it. Carries that
 * read's `ETag` for the next write, and omits members shown only on single reads.
 */
export function changed(resource: unknown): HttpResponse {
  const omitted = Object.fromEntries(ON_SINGLE_READS.map((name) => [name, undefined]));
  return new HttpResponse(
    200,
    { "Content-Type": "application/json", ETag: resourceTag(resource) },
    toJson({ ...Object(resource), ...omitted }),
  );
}

/**
 * What the request demands of the resource that it changes: `If-Match`, or that there is none
 * (`If-None-Match: *`). Weak tags never match (RFC 9110 §13.1).
 */
export function preconditionOf({ method, headers }: HttpRequest): Precondition | undefined {
  const header = headers.get("if-match");
  const mustBeNew = headers.get("if-none-match")?.trim() === "*";
  if (header === null && !mustBeNew) return undefined;
  const isAny = header === null || header.trim() === "*";
  const wanted = entityTags(header ?? "").map((tag) => tag.replace(/\.[^"]*"$/, '"'));
  return (resource) => {
    if (resource === undefined) {
      if (header !== null) throw failed("There is no such resource, so If-Match cannot match.");
    } else if (mustBeNew && (method === "PUT" || resource !== WITHOUT_TAG)) {
      throw failed("The resource exists, and If-None-Match: * allows only a create.");
    } else if ((mustBeNew || !isAny) && resource === WITHOUT_TAG) {
      const name = mustBeNew ? "If-None-Match" : "If-Match";
      throw invalidParam(name, `This has no ETag. Omit ${name}.`);
    } else if (!isAny && !wanted.includes(stableTag(resource))) {
      if (wanted.includes(`W/${stableTag(resource)}`)) throw failed(WEAKENED);
      throw failed("The resource has changed: its ETag does not match If-Match. Read it again.");
    }
  };
}

const WEAKENED =
  "A weak tag never matches. A proxy that compresses adds W/ to the ETag: send it in If-Match without W/.";

function failed(message: string): ApiError {
  return new ApiError("precondition_failed", message);
}
