import type { Socket } from "node:net";
import { oncePerProcess } from "@/lib/platform/process";
import type { Vetted } from "./resolve";

/** Far below any server's keep-alive timeout: a request on a closing connection fails. */
const IDLE_MS = 250;
const IDLE_MAX = 100;

interface Idle {
  socket: Socket;
  address: string;
  /** Stops watching the socket and forgets it. */
  take(): void;
}

const connections = oncePerProcess("outbound.idle", () => new Map<string, Idle[]>());

/** Keeps a connection for the next request under the same key. */
export function keepIdle(key: string, socket: Socket, address: string): void {
  const count = [...connections.values()].reduce((sum, { length }) => sum + length, 0);
  if (socket.destroyed || count >= IDLE_MAX) {
    socket.destroy();
    return;
  }
  const entry: Idle = {
    socket,
    address,
    take() {
      clearTimeout(timer);
      for (const event of UNEXPECTED) socket.off(event, discard);
      const rest = connections.get(key)?.filter((other) => other !== entry) ?? [];
      if (rest.length > 0) connections.set(key, rest);
      else connections.delete(key);
    },
  };
  const discard = () => {
    entry.take();
    socket.destroy();
  };
  const timer = setTimeout(discard, IDLE_MS);
  for (const event of UNEXPECTED) socket.on(event, discard);
  connections.set(key, [...(connections.get(key) ?? []), entry]);
}

/** Takes the most recently used connection to one of the vetted addresses. */
export function takeIdle(key: string, vetted: Vetted[]) {
  const idle = connections.get(key) ?? [];
  for (const peer of vetted) {
    const entry = idle.findLast(({ address }) => address === peer.address);
    if (!entry) continue;
    entry.take();
    return { socket: entry.socket, peer };
  }
  return undefined;
}

/** Unexpected bytes would be read as the response to the next request. */
const UNEXPECTED = ["data", "end", "close"];
