import { config } from "@/lib/platform/config/config";
import type { Row } from "@/lib/platform/db/columns";
import { newId } from "@/lib/platform/db/ids";
import { loader } from "@/lib/platform/db/loader";
import { sql } from "@/lib/platform/db/sql";
import { invalidParam } from "@/lib/platform/errors";
import { clientAddress } from "@/lib/platform/http/address";
import { idempotencyKeyOf } from "@/lib/platform/http/idempotency";
import { jsonOutline } from "@/lib/platform/http/json-outline";
import { type RecordedHeaders, recordedHeaders } from "@/lib/platform/http/recorded-headers";
import { type HttpRequest, readBytes, splitUrl } from "@/lib/platform/http/request";
import { countedAddress } from "@/lib/platform/http/sent-for";
import { validate } from "@/lib/platform/http/validation";
import { TTL_SECONDS_MAX, TTL_SECONDS_MIN } from "@/lib/resources/inboxes/contract";
import { assertStorageOfArrival } from "@/lib/resources/storage/stored-bytes";
import { IngestHeaders } from "./contract";

/** A request to an ingest URL, before it is stored. */
export interface Arrival {
  id: string;
  contentType: string | null;
  headers: RecordedHeaders;
  body: Uint8Array;
  queryString: string;
  sourceIp: string | null;
  /** The address or network whose storage it takes. */
  countedFor: string | null;
  dedupId: string | null;
  /** True if `dedupId` came from the Idempotency-Key. */
  isKeyed: boolean;
  /** Null for the inbox's default. */
  ttlSeconds: number | null;
  delaySeconds: number;
}

/**
 * Reads an event from a request. Throws 400 for an out-of-range header or a delay that the event
 * does not outlive, 413, and 429 if the storage of the inbox's owner, or of the public, is used up.
 */
export async function arrivalOf(
  inboxId: string,
  request: HttpRequest,
  query: { ttl_seconds?: number; delay_seconds?: number; dedup_id?: string },
): Promise<Arrival> {
  const ttlHeader = request.headers.get("inbox-ttl-seconds");
  const headers = validate(
    IngestHeaders,
    ttlHeader === null ? {} : { "Inbox-TTL-Seconds": ttlHeader },
  );
  const key = idempotencyKeyOf(request);
  const countedFor = countedAddress(request);
  await assertStorageOfArrival(countedFor, () => findState(inboxId));
  const body = await readBytes(request, config().inboxMaxBodyBytes);
  const ttlSeconds = query.ttl_seconds ?? headers["Inbox-TTL-Seconds"] ?? ttlInside(body);
  const delaySeconds = query.delay_seconds ?? 0;
  // No TTL is shorter than this minimum, so few requests look up the inbox's default.
  if (delaySeconds >= TTL_SECONDS_MIN) {
    const lives = ttlSeconds ?? (await findState(inboxId))?.default_ttl_seconds;
    if (lives !== undefined) assertDelay("delay_seconds", delaySeconds, lives);
  }
  return {
    id: newId("iev"),
    contentType: request.headers.get("content-type"),
    headers: recordedHeaders(request),
    body,
    queryString: splitUrl(request.url).search,
    sourceIp: clientAddress(request),
    countedFor,
    dedupId: query.dedup_id ?? key ?? null,
    isKeyed: query.dedup_id === undefined && key !== undefined,
    ttlSeconds,
    delaySeconds,
  };
}

/** Throws 400 for a delay after which the event has expired. `param` is its field. */
export function assertDelay(param: string, delaySeconds: number, ttlSeconds: number): void {
  if (delaySeconds < ttlSeconds) return;
  const message = `"${param}" must be less than ${ttlSeconds}, the event's TTL in seconds.`;
  throw invalidParam(param, message);
}

type State = { key: string } & Row<"InboxState", "organization_id" | "default_ttl_seconds">;

const findState = loader<State>(
  (ids) =>
    sql`SELECT inbox_id AS key, organization_id, default_ttl_seconds FROM inbox_state WHERE inbox_id = ANY (${ids})`,
);

/** The `ttl_seconds` of a JSON object body, if it is an integer in range. */
function ttlInside(body: Uint8Array): number | null {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
  // A quick check, since most bodies have no such member. The backslash covers escaped names.
  if (!bytes.includes("ttl_seconds") && !bytes.includes("\\u")) return null;
  const ttl = jsonOutline(bytes, "ttl_seconds")?.member;
  if (typeof ttl !== "number" || !Number.isInteger(ttl)) return null;
  return ttl >= TTL_SECONDS_MIN && ttl <= TTL_SECONDS_MAX ? ttl : null;
}
