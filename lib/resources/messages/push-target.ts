import * as z from "zod";
import type { Caller } from "@/lib/platform/caller";
import { seal, unseal } from "@/lib/platform/encryption";
import { ApiError, invalidParam } from "@/lib/platform/errors";
import { text } from "@/lib/platform/http/fields";
import { REDACTED } from "@/lib/platform/http/recorded-headers";
import { assertReachable, headersOf } from "./target";

/* Where a forward or a subscription pushes: a URL, with headers that may be secret, or an inbox. */

export const ADDED_HEADERS_MAX = 10;
export const ADDED_HEADERS_BYTES_MAX = 4000;
/** A shorter value could appear in a response by chance. */
const SECRET_CHARACTERS_MIN = 8;

const SERVICE_HEADERS =
  /^(content-type|user-agent|traceparent|message-attempt|subscription-id|replay-(message-id|attempt)|schedule-(id|time))$/i;
const VISIBLE = /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/;
const TEXT_FIELD =
  "The body is JSON with this one member: a sentence that says what came and where to read it.";

/** The fields of a request that say what is added for the target's URL. */
export const targetAdditions = {
  headers: headersOf({
    max: ADDED_HEADERS_MAX,
    bytesMax: ADDED_HEADERS_BYTES_MAX,
    reserved: SERVICE_HEADERS,
    value: VISIBLE,
  })
    .nullable()
    .optional()
    .describe("Headers to add for `url`. Encrypted, and never shown again. Default: none."),
  text_field: text({ min: 1, max: 100 }).nullable().optional().describe(TEXT_FIELD),
};

/** The fields of a response that show what is added for the target's URL. */
export const shownAdditions = {
  header_names: z.array(z.string()).describe("The names of the headers that are added."),
  text_field: z.string().nullable().describe(`${TEXT_FIELD} Null: the whole event or change.`),
};

interface Given extends z.infer<z.ZodObject<typeof targetAdditions>> {
  url?: string | undefined;
  inbox_id?: string | undefined;
}

/**
 * Throws 400 unless exactly one target is given, or for additions without a URL, and 403 for a URL
 * that a foreign web page may not send to. `preferred` is the field that errors name.
 */
export function assertTarget(
  caller: Caller,
  { url, inbox_id, headers, text_field }: Given,
  preferred: "url" | "inbox_id",
): void {
  const other = preferred === "url" ? "inbox_id" : "url";
  if (url === undefined && inbox_id === undefined) {
    const message = `Either ${preferred} or ${other} is required.`;
    throw new ApiError("missing_required_param", message, { param: preferred });
  }
  if (url !== undefined && inbox_id !== undefined) {
    throw invalidParam(other, `Set either ${preferred} or ${other}, not both.`);
  }
  if (url !== undefined) assertReachable(caller, url);
  for (const [name, value] of Object.entries({ headers, text_field })) {
    if (url === undefined && value != null) throw invalidParam(name, `${name} is only for a url.`);
  }
}

/** The columns of the target of `owner`, a forward's endpoint or a subscription. */
export function targetColumns(caller: Caller, owner: string, { url, inbox_id, ...given }: Given) {
  const headers = Object.entries(given.headers ?? {});
  const hasHeaders = url !== undefined && headers.length > 0;
  return {
    url: url ?? null,
    inbox_id: inbox_id ?? null,
    // In local mode, a web page of another origin reaches public addresses only.
    public_only: caller.foreignPage !== undefined,
    sealed_headers: hasHeaders ? seal(keyOf(owner, url), JSON.stringify(headers)) : null,
    header_names: headers.map(([name]) => name),
    text_field: given.text_field ?? null,
  };
}

/** The target as the audit log names it, without a path that may be secret. */
export function targetName({ url, inbox_id }: { url?: string | null; inbox_id?: string | null }) {
  return inbox_id ?? new URL(url ?? "").origin;
}

/** The headers; undefined if they were sealed for another owner or URL, or under another server secret. */
export function unsealHeaders(
  owner: string,
  url: string,
  sealed: Uint8Array,
): [string, string][] | undefined {
  const headers = unseal(keyOf(owner, url), sealed);
  return headers === undefined ? undefined : JSON.parse(headers);
}

/** Includes the URL, so that no other URL ever gets the headers. */
function keyOf(owner: string, url: string): string {
  return `${owner} ${url}`;
}

/** Hides the headers, and their parts such as a token after `Bearer`, in what a target has echoed. */
export function withoutSecrets(headers: [string, string][]): (text: string) => string {
  const found = headers
    .flatMap(([, value]) => [value, ...value.split(/[ "=:,;]/)])
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)])
    .filter(({ length }) => length >= SECRET_CHARACTERS_MIN);
  // The longest first: a secret is no longer found once a part of it has been replaced.
  const secrets = [...new Set(found)].sort((a, b) => b.length - a.length);
  return (text) => secrets.reduce((shown, secret) => shown.replaceAll(secret, REDACTED), text);
}
