import { networkOf, networksOf } from "@/lib/platform/addresses";
import { config } from "@/lib/platform/config/config";
import { ApiError } from "@/lib/platform/errors";
import { oncePerProcess } from "@/lib/platform/process";
import { shareOfClient, shareOfTotal } from "./shares";

/**
 * Open connections under `npm start`, of all its processes. Limits per address apply in public mode.
 */
export const CONNECTIONS_MAX = 2000;
export const CONNECTIONS_PER_ADDRESS = 256;
/** The other connections are reserved for requests that do not wait. */
export const WAITING_MAX = (CONNECTIONS_MAX * 3) / 4;
export const STREAMS_PER_ADDRESS = 32;
export const POLLS_PER_ADDRESS = 64;
export const STREAMS_PER_ENDPOINT = 128;
/** Streams end after this time, before Vercel's limit of 300 seconds, and clients reconnect. */
export const STREAM_MS_MAX = 280_000;
/** Counted no longer than this, so that no fault can take a place for good. Only exports may take longer. */
const COUNTED_MS_MAX = 600_000;

/** A request that holds its connection: an event stream or a long poll. */
export type Wait = { kind: "stream"; endpoints?: readonly string[] } | { kind: "poll" };

/**
 * Counts a waiting request until the returned function is called. Throws 429 `rate_limited` when
 * its address or endpoint has too many (public mode), and 503 when the total is reached.
 */
export function occupy(wait: Wait, address: string | null): () => void {
  const counts = waiting();
  if (counts.total >= shareOfTotal(WAITING_MAX)) {
    throw new ApiError("service_unavailable", "Too many clients are waiting. Try again later.", {
      headers: { "Retry-After": "5" },
    });
  }
  const places = config().localMode ? [] : placesOf(wait, address);
  for (const { name, max, message } of places) {
    if ((counts.places.get(name) ?? 0) < shareOfClient(max)) continue;
    throw new ApiError("rate_limited", message, { headers: { "Retry-After": "5" } });
  }
  counts.total += 1;
  counts.kinds[wait.kind] += 1;
  for (const { name } of places) counts.places.set(name, (counts.places.get(name) ?? 0) + 1);
  let held = true;
  const leave = () => {
    if (!held) return;
    held = false;
    clearTimeout(timer);
    counts.total -= 1;
    counts.kinds[wait.kind] -= 1;
    for (const { name } of places) {
      const left = (counts.places.get(name) ?? 0) - 1;
      if (left > 0) counts.places.set(name, left);
      else counts.places.delete(name);
    }
  };
  const timer = setTimeout(leave, COUNTED_MS_MAX).unref();
  return leave;
}

/** How many requests of each kind wait in this process. */
export function waitingCounts(): Readonly<Record<Wait["kind"], number>> {
  return waiting().kinds;
}

/** Wraps a stream to call `ended` when it completes, fails or is cancelled. */
export function whenEnded(
  stream: ReadableStream<Uint8Array>,
  readerGone: AbortSignal,
  ended: () => void,
): ReadableStream<Uint8Array> {
  const reader = stream.getReader();
  if (readerGone.aborted) ended();
  else readerGone.addEventListener("abort", ended, { once: true });
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (!done) return controller.enqueue(value);
          ended();
          controller.close();
        } catch (error) {
          ended();
          controller.error(error);
        }
      },
      cancel(reason) {
        ended();
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

function placesOf(wait: Wait, address: string | null) {
  const [perAddress, noun] =
    wait.kind === "poll" ? [POLLS_PER_ADDRESS, "long polls"] : [STREAMS_PER_ADDRESS, "streams"];
  const ofNetworks = networksOf(address).map(([network, factor]) => ({
    name: `${wait.kind} ${network}`,
    max: perAddress * factor,
    message: `An address can have at most ${perAddress} concurrent ${noun}.`,
  }));
  if (wait.kind === "poll") return ofNetworks;
  const ofEndpoints = (wait.endpoints ?? []).flatMap((endpoint) => [
    {
      name: `endpoint ${endpoint}`,
      max: STREAMS_PER_ENDPOINT,
      message: `An endpoint can have at most ${STREAMS_PER_ENDPOINT} concurrent streams.`,
    },
    {
      // Otherwise a single owner of a large IPv6 network could take all of them.
      name: `endpoint ${endpoint} ${networkOf(address, 48)}`,
      max: STREAMS_PER_ADDRESS,
      message: `A network can have at most ${STREAMS_PER_ADDRESS} concurrent streams of an endpoint.`,
    },
  ]);
  return [...ofNetworks, ...ofEndpoints];
}

function waiting() {
  return oncePerProcess("http.waiting", () => ({
    total: 0,
    kinds: { poll: 0, stream: 0 },
    places: new Map<string, number>(),
  }));
}
