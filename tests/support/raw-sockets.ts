import net from "node:net";

/** A connection on which the test writes every byte. */
export interface RawSocket {
  socket: net.Socket;
  /** Everything received, as Latin-1. */
  received(): string;
  isClosed(): boolean;
  closed: Promise<void>;
}

/**
 * Connects from `address`, a loopback address, writes `bytes` and reads the response. Closes when the
 * server ends its side, unless `leaves` is false.
 */
export function openRaw(
  baseUrl: string,
  bytes: string | Uint8Array = "",
  { address = "127.0.0.1", leaves = true }: { address?: string; leaves?: boolean } = {},
): RawSocket {
  let received = "";
  let closed = false;
  const port = Number(new URL(baseUrl).port);
  const socket = net.connect({
    port,
    host: "127.0.0.1",
    localAddress: address,
    allowHalfOpen: true,
  });
  socket.on("connect", () => socket.write(bytes));
  socket.setEncoding("latin1").on("data", (text: string) => {
    received += text;
  });
  socket.on("error", () => {});
  if (leaves) socket.on("end", () => socket.destroy());
  return {
    socket,
    received: () => received,
    isClosed: () => closed,
    closed: new Promise((resolve) => {
      socket.once("close", () => {
        closed = true;
        resolve();
      });
    }),
  };
}

export function head(method: string, path: string, ...lines: string[]): string {
  return [`${method} ${path} HTTP/1.1`, "Host: x", ...lines, "", ""].join("\r\n");
}
