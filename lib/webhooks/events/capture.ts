import { config } from "@/lib/config/config";
import { clientAddress } from "@/lib/http/address";
import { recordedHeaders } from "@/lib/http/recorded-headers";
import { type HttpRequest, readPrefix, splitUrl } from "@/lib/http/request";
import { endpointId } from "@/lib/webhooks/contract";
import type { Capture } from "./contract";
import { store } from "./group-commit";

/**
 * Records a request as an event of the endpoint `id`. The response does not reveal whether the
 * endpoint exists. Throws 503 when the event cannot be stored.
 */
export async function capture(id: string, request: HttpRequest): Promise<Capture> {
  const { path, search } = splitUrl(request.url);
  const { start, size } = await readPrefix(request, config().captureMaxBodyBytes);
  const kept = start.reduce((sum, { length }) => sum + length, 0);
  const eventId = await store(
    {
      endpointId: endpointId(id),
      method: request.method,
      path,
      queryString: search,
      headers: recordedHeaders(request),
      body: start,
      sizeBytes: size,
      sourceIp: clientAddress(request),
    },
    {
      method: request.method,
      header: (name) => request.headers.get(name),
      body: start,
      size,
      isTruncated: kept < size,
    },
  );
  return { received: true, event_id: eventId };
}
