import { once } from "node:events";
import type { Server } from "node:http";
import { createServer, type Server as NetServer } from "node:net";
import { config } from "@/lib/platform/config/config";
import { ConfigError } from "@/lib/platform/config/config-error";
import { codeOf } from "@/lib/platform/db/failures";
import { CONNECTIONS_MAX } from "@/lib/platform/limits/connection-slots";

/** A machine without IPv6 has no `::1`. */
const NO_SUCH_ADDRESS = ["EADDRNOTAVAIL", "EAFNOSUPPORT"];

/** Listens on the configured addresses and returns what to close. Throws a `ConfigError`. */
export async function listen(server: Server): Promise<NetServer[]> {
  const [first, ...others] = config().hosts;
  await bind(server, first);
  const listening: NetServer[] = [server];
  for (const host of others) {
    // The options with which an HTTP server makes its own.
    const other = createServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
      server.emit("connection", socket),
    );
    if (await bind(other, host, { optional: true })) listening.push(other);
  }
  return listening;
}

async function bind(server: NetServer, host: string, { optional = false } = {}): Promise<boolean> {
  const { port } = config();
  // The backlog queues bursts of connections instead of dropping them.
  server.listen({ port, host, backlog: CONNECTIONS_MAX });
  try {
    await once(server, "listening");
    return true;
  } catch (error) {
    const code = codeOf(error);
    if (optional && NO_SUCH_ADDRESS.includes(code)) return false;
    const explain = EXPLANATIONS[code];
    throw explain ? new ConfigError(explain(host, port)) : error;
  }
}

const noAddress = (host: string) =>
  `HOST: ${host} is not an address of this machine. Set HOST to one, such as 127.0.0.1 or 0.0.0.0.`;
const EXPLANATIONS: Record<string, (host: string, port: number) => string> = {
  EADDRINUSE: (host, port) => `PORT: ${host}:${port} is in use. Set PORT to a free one.`,
  EACCES: (host, port) =>
    `PORT: this user may not listen on ${host}:${port}. Set PORT to a number above 1023.`,
  EADDRNOTAVAIL: noAddress,
  EAFNOSUPPORT: noAddress,
  EAI_AGAIN: noAddress,
  ENOTFOUND: noAddress,
  EINVAL: noAddress,
};
