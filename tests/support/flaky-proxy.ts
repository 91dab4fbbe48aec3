import type { ServerResponse } from "node:http";
import { type Received, startTarget, type Target } from "./target";

/**
 * What happens to a request: it passes; `refuse` closes the connection before the server has it, and
 * `lose` after the server has answered; `withhold` keeps that response; `passWith`
 * changes its headers; or the proxy answers.
 */
export type Fault =
  | "pass"
  | "refuse"
  | "lose"
  | "withhold"
  | { passWith: Record<string, string> }
  | { status: number; headers?: Record<string, string | string[]>; body?: string | Buffer };

/**
 * An HTTP proxy in front of a server with a fault for each request, by its number from 0. It records
 * the requests.
 */
export function startFlakyProxy(
  baseUrl: string,
  faultOf: (received: Received, number: number) => Fault,
): Promise<Target> {
  let count = 0;
  return startTarget((response, received) => {
    void handle(response, received, faultOf(received, count++)).catch(() => response.destroy());
  });

  async function handle(response: ServerResponse, received: Received, fault: Fault) {
    if (fault === "refuse") return response.destroy();
    if (typeof fault === "object" && "status" in fault) {
      response.writeHead(fault.status, fault.headers);
      return response.end(fault.body);
    }
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    const { host, connection, "content-length": length, ...headers } = received.headers;
    const answer = await fetch(new URL(received.path, baseUrl), {
      method: received.method,
      headers: headers as Record<string, string>,
      ...(received.body.length > 0 && { body: new Uint8Array(received.body) }),
      signal: gone.signal,
    });
    const body = Buffer.from(await answer.arrayBuffer());
    if (fault === "withhold") return;
    if (fault === "lose") return response.destroy();
    const changes = typeof fault === "object" ? fault.passWith : {};
    response.writeHead(answer.status, { ...Object.fromEntries(answer.headers), ...changes });
    return response.end(body);
  }
}
