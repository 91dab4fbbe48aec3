import type { Server } from "node:http";
import type { Socket } from "node:net";
import { networksOf } from "@/lib/platform/addresses";
import { config } from "@/lib/platform/config/config";
import { isTrustedProxy } from "@/lib/platform/http/address";
import { increment } from "@/lib/platform/increment";
import { CONNECTIONS_MAX, CONNECTIONS_PER_ADDRESS } from "@/lib/platform/limits/connection-slots";
import { shareOfClient, shareOfTotal } from "@/lib/platform/limits/process-share";

/** Limits connections in total and, in public mode, per network, except of trusted proxies. */
export function limitConnections(server: Server): void {
  limitTotal(server, shareOfTotal(CONNECTIONS_MAX));
  if (config().localMode) return;
  const perNetwork = shareOfClient(CONNECTIONS_PER_ADDRESS);
  const open = new Map<string, number>();
  server.on("connection", (socket: Socket) => {
    const address = socket.remoteAddress;
    if (address === undefined || isTrustedProxy(address)) return;
    const networks = networksOf(address);
    if (networks.some(([network, factor]) => (open.get(network) ?? 0) >= perNetwork * factor)) {
      socket.destroy();
      return;
    }
    for (const [network] of networks) increment(open, network, 1);
    socket.once("close", () => {
      for (const [network] of networks) increment(open, network, -1);
    });
  });
}

/** Does not use `maxConnections`, with which full processes pass a connection around endlessly. */
function limitTotal(server: Server, max: number) {
  let open = 0;
  server.on("connection", (socket: Socket) => {
    if (open >= max) {
      socket.destroy();
      // This connection is lost, but the next one finds a free slot.
      server.closeIdleConnections();
      return;
    }
    open += 1;
    socket.once("close", () => {
      open -= 1;
    });
  });
}
