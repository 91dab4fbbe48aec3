import { createServer } from "node:http";

/** How many deliveries a queue makes at once. */
export const AT_ONCE = 50;

/**
 * A bare HTTP server in front of a queue. `POST /METHOD` calls that method with the JSON body and
 * responds with its result:
 *
 * - `send(data)` adds an item; `fill({ count, data })` adds many
 * - `receive({ limit })` leases items: `[{ id }]`
 * - `ack({ ids })` removes leased items; `purge()` removes all
 * - `work()` takes items and gives each one's data to `deliver` below until `stop()`
 */
export function serveQueue(port, queue) {
  createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const input = chunks.length > 0 ? JSON.parse(Buffer.concat(chunks).toString()) : {};
    const result = await queue[request.url.slice(1)](input);
    const body = JSON.stringify(result ?? null);
    response.writeHead(200, {
      "Content-Type": "application/json",
      "Content-Length": Buffer.byteLength(body),
    });
    response.end(body);
  }).listen(Number(port), "127.0.0.1");
}

/** Delivers a message as the service does. */
export async function deliver({ url, body }) {
  const response = await fetch(url, { method: "POST", body });
  await response.arrayBuffer();
}
