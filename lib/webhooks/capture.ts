import { config } from "@/lib/config";
import { clientAddress } from "@/lib/http/address";
import { type HttpRequest, readStart, splitUrl } from "@/lib/http/request";
import type { Capture } from "./contract";
import { endpointId } from "./endpoint-id";
import { store } from "./group-commit";

/**
 * Records a request as an event of the endpoint `id`. What it does and answers does not tell whether
 * there is such an endpoint. Throws 503 when the event cannot be stored.
 */
export async function capture(id: string, request: HttpRequest): Promise<Capture> {
  const { path, search } = splitUrl(request.url);
  const { start, size } = await readStart(request, config().captureMaxBodyBytes);
  const eventId = await store({
    endpointId: endpointId(id),
    method: request.method,
    path,
    queryString: search,
    headers: JSON.stringify(recordedHeaders(request.headers)),
    body: start,
    sizeBytes: size,
    sourceIp: clientAddress(request),
  });
  return { received: true, event_id: eventId };
}

/** A capture URL is shared with strangers: credentials and what the platform adds are not kept. */
function recordedHeaders(headers: Iterable<[string, string]>): Record<string, string> {
  const recorded = new Map<string, string>();
  for (const [name, value] of headers) {
    if (NOT_RECORDED.test(name)) continue;
    const before = recorded.get(name);
    recorded.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return Object.fromEntries(recorded);
}

const NOT_RECORDED =
  /^(?:authorization|proxy-authorization|cookie|forwarded|x-real-ip|x-forwarded-.*|x-vercel-.*)$/;
