import net from "node:net";

/**
 * A proxy in front of the server of `url` that can simulate its failure and recovery. `url` in the
 * result leads through the proxy. `onConnection` can read what each client sends,
 * and what the server answers.
 */
export async function startTcpProxy(
  url: string,
  onConnection?: (client: net.Socket, upstream: net.Socket) => void,
) {
  let target = new URL(url);
  const sockets = new Set<net.Socket>();
  let cut = false;
  let frozen = false;
  const server = net.createServer((client) => {
    if (cut) return client.destroy();
    const upstream = net.connect(Number(target.port), target.hostname);
    onConnection?.(client, upstream);
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one);
      one.pipe(other);
      if (frozen) one.pause();
      one.on("error", () => other.destroy());
      one.on("close", () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const through = new URL(url);
  through.port = String((server.address() as net.AddressInfo).port);
  return {
    url: through.href,
    /** Closes every connection, and every new one at once. */
    cut() {
      cut = true;
      for (const socket of sockets) socket.destroy();
    },
    mend() {
      cut = false;
    },
    /** Closes every connection; new ones lead to this server. */
    moveTo(next: string) {
      target = new URL(next);
      for (const socket of sockets) socket.destroy();
    },
    /** Forwards nothing, over old and new connections, as a stopped machine does. */
    freeze() {
      frozen = true;
      for (const socket of sockets) socket.pause();
    },
    thaw() {
      frozen = false;
      for (const socket of sockets) socket.resume();
    },
    async close() {
      this.cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
