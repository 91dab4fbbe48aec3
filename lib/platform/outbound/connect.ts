import { once } from "node:events";
import net from "node:net";
import tls from "node:tls";
import { parseAddress } from "@/lib/platform/addresses";
import { blockedAddress, OutboundError, tlsError, toOutboundError } from "./error";
import { takeIdle } from "./idle";
import type { AddressRules } from "./policy";
import { type Vetted, vettedAddresses } from "./resolve";

export interface Connection {
  socket: net.Socket;
  /** The address the socket is connected to. */
  peer: Vetted;
}

/**
 * Connects to the host of `url`, including the TLS handshake. The name is resolved once, every
 * address is vetted, and the connected peer is checked again. Reuses an idle connection under
 * `idleKey` if its address was vetted now. Throws an `OutboundError`.
 */
export async function connect(
  url: URL,
  rules: AddressRules,
  signal: AbortSignal,
  idleKey?: string,
): Promise<Connection> {
  const candidates = await abortable(vettedAddresses(url, rules), signal);
  const idle = idleKey === undefined ? undefined : takeIdle(idleKey, candidates);
  if (idle) return idle;
  const { socket, peer } = await connectToOneOf(candidates.slice(0, DIALLED_MAX), url, signal);
  if (url.protocol !== "https:") return { socket, peer };
  return { socket: await secure(socket, url, signal), peer };
}

/** The owner of a name chooses its addresses, and each attempt to connect costs a socket. */
const DIALLED_MAX = 8;

async function connectToOneOf(candidates: Vetted[], url: URL, signal: AbortSignal) {
  let failure: unknown;
  for (const [index, peer] of candidates.entries()) {
    try {
      return {
        socket: await connectTo(peer.address, url, signal, candidates.length - index),
        peer,
      };
    } catch (error) {
      failure = error;
      if (signal.aborted || error instanceof OutboundError) break;
    }
  }
  throw signal.aborted ? signal.reason : toOutboundError(failure);
}

/** An unresponsive address gets only its share of the time, unless it is the last. */
async function connectTo(address: string, url: URL, signal: AbortSignal, remaining: number) {
  const port = url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);
  const timeout =
    remaining > 1
      ? AbortSignal.any([signal, AbortSignal.timeout(Math.ceil(CONNECT_SHARE_MS / remaining))])
      : signal;
  const socket = net.connect({ host: address, port, noDelay: true });
  socket.on("error", () => {}); // reported by once(); without a listener it would crash the process
  try {
    await once(socket, "connect", { signal: timeout });
    const peer = parseAddress(socket.remoteAddress ?? "");
    if (!peer || String(peer) !== String(parseAddress(address))) throw blockedAddress();
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

const CONNECT_SHARE_MS = 4000;

async function secure(socket: net.Socket, url: URL, signal: AbortSignal): Promise<tls.TLSSocket> {
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
  const secured = tls.connect({
    socket,
    host,
    ALPNProtocols: ["http/1.1"],
    // RFC 6066 §3 forbids IP literals as server names.
    ...(net.isIP(host) === 0 && { servername: host }),
  });
  secured.on("error", () => {});
  try {
    await once(secured, "secureConnect", { signal });
    return secured;
  } catch (error) {
    secured.destroy();
    socket.destroy();
    if (signal.aborted) throw signal.reason;
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    throw ["ECONNRESET", "EPIPE", "ETIMEDOUT"].includes(code)
      ? toOutboundError(error)
      : tlsError(code);
  }
}

/** Rejects with the signal's reason as soon as it is aborted. */
async function abortable<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  signal.throwIfAborted();
  const aborted = once(signal, "abort").then(() => Promise.reject(signal.reason));
  return Promise.race([work, aborted]);
}
