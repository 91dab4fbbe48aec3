import { once } from "node:events";
import http, { type IncomingMessage, type ServerResponse } from "node:http";
import https from "node:https";
import type { AddressInfo } from "node:net";
import type { TlsOptions } from "node:tls";

export interface Received {
  method: string;
  path: string;
  headers: http.IncomingHttpHeaders;
  rawHeaders: string[];
  body: Buffer;
  at: number;
}

export interface Target {
  url: string;
  port: number;
  received: Received[];
  /** The highest number of concurrent requests. */
  atOnce: number;
  stop(): Promise<void>;
}

type Answering = (response: ServerResponse, received: Received, request: IncomingMessage) => void;

/** A target on loopback that records requests, and answers 200 `ok` over plain HTTP by default. */
export async function startTarget(
  answer: Answering = (response) => void response.end("ok"),
  port = 0,
  tls?: TlsOptions,
): Promise<Target> {
  let open = 0;
  const server = tls ? https.createServer(tls) : http.createServer();
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    open++;
    target.atOnce = Math.max(target.atOnce, open);
    response.once("close", () => open--);
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const received = {
        method: request.method ?? "",
        path: request.url ?? "",
        headers: request.headers,
        rawHeaders: request.rawHeaders,
        body: Buffer.concat(chunks),
        at: performance.now(),
      };
      target.received.push(received);
      answer(response, received, request);
    });
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const address = server.address() as AddressInfo;
  const target: Target = {
    url: `${tls ? "https" : "http"}://127.0.0.1:${address.port}`,
    port: address.port,
    received: [],
    atOnce: 0,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return target;
}

export interface HoldingTarget extends Target {
  /** The responses that requests wait for. */
  held: ServerResponse[];
  /** Responds to the first `count` of them. */
  release(count: number): void;
  /** Responds to all of them, and from now on at once. */
  open(): void;
}

/** A target whose requests wait for their response until they are released. */
export async function startHoldingTarget(): Promise<HoldingTarget> {
  const held: ServerResponse[] = [];
  let isOpen = false;
  const target = await startTarget((response) => {
    if (isOpen) response.end();
    else held.push(response);
  });
  const release = (count: number) => {
    for (const response of held.splice(0, count)) response.end();
  };
  const open = () => {
    isOpen = true;
    release(held.length);
  };
  return Object.assign(target, { held, release, open });
}

/** How many times each message has arrived. */
export function arrivals(received: Received[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { headers } of received) {
    const id = String(headers["webhook-id"]);
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}
