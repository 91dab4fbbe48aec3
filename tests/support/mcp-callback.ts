import { randomBytes } from "node:crypto";
import type { ServerResponse } from "node:http";
import type { TlsOptions } from "node:tls";
import { Webhook } from "standardwebhooks";
import type { Occurrence } from "./mcp-events";
import { type Received, startTarget } from "./target";

export const newSecret = (bytes = 32) => `whsec_${randomBytes(bytes).toString("base64")}`;

interface Delivered extends Occurrence {
  type?: string;
  challenge?: string;
  error?: { code: number };
}

/**
 * A callback on loopback that echoes challenges and checks every signature. `answer` decides the
 * status of the rest.
 */
export async function startCallback(
  answer: (delivered: Delivered, nth: number) => number = () => 204,
  secret = newSecret(),
  tls?: TlsOptions,
) {
  const events: Delivered[] = [];
  const accepted: Delivered[] = [];
  const controls: Delivered[] = [];
  const failures: unknown[] = [];
  // Its port may have been that of another test's callback, which has a subscription still.
  const path = `/${randomBytes(8).toString("hex")}`;
  const answering = (response: ServerResponse, { body, headers, path: wanted }: Received) => {
    if (!wanted.startsWith(path)) return response.writeHead(404).end();
    const delivered: Delivered = JSON.parse(body.toString());
    try {
      new Webhook(secret).verify(body.toString(), headers as Record<string, string>);
    } catch (error) {
      failures.push({ error: String(error), now: Date.now() / 1000, headers, delivered });
    }
    if (delivered.type !== undefined) controls.push(delivered);
    if (delivered.challenge !== undefined) {
      response.setHeader("content-type", "application/json");
      return response.end(JSON.stringify({ challenge: delivered.challenge }));
    }
    if (delivered.type === undefined) {
      events.push(delivered);
      if (headers["webhook-id"] !== delivered.eventId) failures.push({ headers, delivered });
    }
    response.statusCode = delivered.type === undefined ? answer(delivered, events.length) : 204;
    if (response.statusCode < 300 && delivered.type === undefined) accepted.push(delivered);
    response.end();
  };
  const target = await startTarget(answering, 0, tls);
  const url = target.url + path;
  return {
    url,
    secret,
    target,
    /** Everything that arrived, in order. */
    events,
    accepted,
    controls,
    /** Bad signatures. */
    failures,
    delivery: { mode: "webhook", url, secret },
    stop: () => target.stop(),
  };
}
