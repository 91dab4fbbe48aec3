import { once } from "node:events";
import net, { type AddressInfo } from "node:net";

/** A raw TCP server that counts connections, those that are open, and bytes received. */
export async function startRaw(onConnection: (socket: net.Socket) => void = () => {}) {
  const seen = { connections: 0, open: 0, bytes: 0 };
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    seen.connections++;
    seen.open++;
    socket.on("close", () => seen.open--);
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("data", (chunk) => {
      seen.bytes += chunk.length;
    });
    onConnection(socket);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const stop = () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { url: `http://127.0.0.1:${port}/`, port, seen, stop };
}
