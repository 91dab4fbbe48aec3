import { wholeCharacters } from "@/lib/platform/bodies/whole-characters";
import { config } from "@/lib/platform/config/config";
import { loader } from "@/lib/platform/db/loader";
import { sql } from "@/lib/platform/db/sql";
import { clientAddress } from "@/lib/platform/http/address";
import { recordedHeaders } from "@/lib/platform/http/recorded-headers";
import { type HttpRequest, readPrefix, splitUrl } from "@/lib/platform/http/request";
import { countedAddress } from "@/lib/platform/http/sent-for";
import { assertStorageOfArrival } from "@/lib/resources/storage/stored-bytes";
import { endpointId } from "@/lib/resources/webhooks/kind";
import type { Capture } from "./contract";
import { store } from "./group-commit";

const CHALLENGE = "url_verification";
/** Well above what Slack sends. */
const CHALLENGE_BYTES_MAX = 4096;

/**
 * Records a request as an event of the endpoint `id`. The response does not reveal whether the
 * endpoint exists. Throws 503 if the event cannot be stored, and 429 if the storage of its owner,
 * or of the public, is used up.
 */
export async function capture(id: string, request: HttpRequest): Promise<Capture> {
  const countedFor = countedAddress(request);
  const endpoint = endpointId(id);
  await assertStorageOfArrival(countedFor, () => findOwner(endpoint));
  const { path, search } = splitUrl(request.url);
  const { start, size } = await readPrefix(request, config().captureMaxBodyBytes);
  const isTruncated = start.reduce((sum, { length }) => sum + length, 0) < size;
  const body = isTruncated ? [wholeCharacters(Buffer.concat(start))] : start;
  const eventId = await store(
    {
      endpointId: endpoint,
      method: request.method,
      path,
      queryString: search,
      headers: recordedHeaders(request),
      body,
      sizeBytes: size,
      sourceIp: clientAddress(request),
      countedFor,
    },
    {
      method: request.method,
      headers: request.headers,
      header: (name) => request.headers.get(name),
      body,
      size,
      isTruncated,
    },
  );
  const challenge = challengeOf(body);
  return { received: true, event_id: eventId, ...(challenge !== undefined && { challenge }) };
}

const findOwner = loader<{ key: string; organization_id: string | null }>(
  (ids) =>
    sql`SELECT endpoint_id AS key, organization_id FROM endpoint_state WHERE endpoint_id = ANY (${ids})`,
);

/**
 * The challenge that Slack sends to check a new URL, and that the response must repeat. Undefined for
 * any other body, which may be of any length.
 */
function challengeOf(body: readonly Uint8Array[]): string | undefined {
  if (body.reduce((sum, { length }) => sum + length, 0) > CHALLENGE_BYTES_MAX) return undefined;
  const bytes = Buffer.concat(body);
  if (!bytes.includes(CHALLENGE)) return undefined;
  try {
    const { type, challenge } = JSON.parse(bytes.toString());
    return type === CHALLENGE && typeof challenge === "string" ? challenge : undefined;
  } catch {
    return undefined;
  }
}
