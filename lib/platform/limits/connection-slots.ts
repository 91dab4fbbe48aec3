import { networkOf, networksOf } from "@/lib/platform/addresses";
import { config } from "@/lib/platform/config/config";
import { rateLimited, unavailable } from "@/lib/platform/errors";
import { increment } from "@/lib/platform/increment";
import { oncePerProcess } from "@/lib/platform/process";
import { shareOfClient, shareOfTotal } from "./process-share";

/** Open connections under `npm start` over all processes. In public mode addresses have limits. */
export const CONNECTIONS_MAX = 2000;
export const CONNECTIONS_PER_ADDRESS = 256;
/** The other connections are reserved for requests that do not wait. */
export const WAITING_MAX = (CONNECTIONS_MAX * 3) / 4;
export const STREAMS_PER_ADDRESS = 32;
export const POLLS_PER_ADDRESS = 64;
export const STREAMS_PER_ENDPOINT = 128;
/** Streams end after this time, before Vercel's limit of 300 seconds, and clients reconnect. */
export const STREAM_MS_MAX = 280_000;
/** A slot is freed by then, so that no fault holds it forever. Only exports may take longer. */
const COUNTED_MS_MAX = 600_000;

/** A request that holds its connection open: an event stream or a long poll. */
export type Wait = { kind: "stream"; endpoints?: readonly string[] } | { kind: "poll" };

const slotCounts = oncePerProcess("http.waiting", () => ({
  total: 0,
  kinds: { poll: 0, stream: 0 },
  slots: new Map<string, number>(),
}));

/**
 * Takes a slot for a long request and returns a function that frees it. Throws 429 `rate_limited`
 * when its address or endpoint has too many (public mode), and 503 when all are taken.
 */
export function takeConnectionSlot(wait: Wait, address: string | null): () => void {
  if (slotCounts.total >= shareOfTotal(WAITING_MAX)) {
    throw unavailable("Too many clients are waiting. Try again later.");
  }
  const slots = config().localMode ? [] : slotsOf(wait, address);
  for (const { name, max, message } of slots) {
    if ((slotCounts.slots.get(name) ?? 0) < shareOfClient(max)) continue;
    throw rateLimited(message, 5);
  }
  slotCounts.total += 1;
  slotCounts.kinds[wait.kind] += 1;
  for (const { name } of slots) increment(slotCounts.slots, name, 1);
  let isHeld = true;
  const release = () => {
    if (!isHeld) return;
    isHeld = false;
    clearTimeout(timer);
    slotCounts.total -= 1;
    slotCounts.kinds[wait.kind] -= 1;
    for (const { name } of slots) increment(slotCounts.slots, name, -1);
  };
  const timer = setTimeout(release, COUNTED_MS_MAX).unref();
  return release;
}

/** The number of slots in use in this process, by kind. */
export function connectionSlotCounts(): Readonly<Record<Wait["kind"], number>> {
  return slotCounts.kinds;
}

/** Wraps a stream to call `onEnd` when it completes, fails or is canceled. */
export function onStreamEnd(
  stream: ReadableStream<Uint8Array>,
  readerSignal: AbortSignal,
  onEnd: () => void,
): ReadableStream<Uint8Array> {
  const reader = stream.getReader();
  if (readerSignal.aborted) onEnd();
  else readerSignal.addEventListener("abort", onEnd, { once: true });
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (!done) return controller.enqueue(value);
          onEnd();
          controller.close();
        } catch (error) {
          onEnd();
          controller.error(error);
        }
      },
      cancel(reason) {
        onEnd();
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

function slotsOf(wait: Wait, address: string | null) {
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
      // Otherwise one owner of a large IPv6 network could take all of them.
      name: `endpoint ${endpoint} ${networkOf(address, 48)}`,
      max: STREAMS_PER_ADDRESS,
      message: `A network can have at most ${STREAMS_PER_ADDRESS} concurrent streams of an endpoint.`,
    },
  ]);
  return [...ofNetworks, ...ofEndpoints];
}
