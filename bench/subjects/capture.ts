import { createHmac } from "node:crypto";
import { compare } from "../compare";
import { load, once, type Request } from "../load";
import type { Stage } from "../stage";
import { onConnections, type Table } from "../table";

const BODY = JSON.stringify({
  event: "push",
  items: Array.from({ length: 20 }, (_, n) => ({ n })),
});

const SECRET = "It's a Secret to Everybody";
const SIGNATURE = `sha256=${createHmac("sha256", SECRET).update(BODY).digest("hex")}`;

/** Captures, beside a bare server that inserts the same row; then pages of events. */
export async function capture(stage: Stage, table: Table) {
  const bare = await stage.peer("bare server", "bare.mjs", stage.url);
  const service = await stage.service();
  const small = await filledEndpoint(service.port, 100);
  const large = await filledEndpoint(service.port, 10_000);
  const bareId = await filledEndpoint(service.port, 1);
  for (const connections of [1, 16, 64]) {
    const [beside, ofSmall, ofLarge] = await compare([
      stage.repeating(bare, connections, captureOf(bareId)),
      stage.repeating(service, connections, captureOf(small)),
      stage.repeating(service, connections, captureOf(large)),
    ]);
    const on = onConnections(connections);
    table.row(`capture, endpoint full at 100 events, ${on}`, ofSmall, beside);
    table.row(`capture, endpoint full at 10 000 events, ${on}`, ofLarge, beside);
  }

  const plain = await filledEndpoint(service.port, 100);
  const forwarding = await forwardingEndpoint(service.port);
  for (const connections of [1, 64]) {
    const [without, withForward] = await compare(
      [plain, forwarding.id].map((id) => ({
        ...stage.repeating(service, connections, captureOf(id), "without forward"),
        // A full inbox would hold events back.
        before: () => once(service.port, { method: "DELETE", path: forwarding.inboxEvents }),
      })),
    );
    const on = onConnections(connections);
    table.row(`capture, verified and forwarded to an inbox, ${on}`, withForward, without);
  }

  const few = await filledEndpoint(service.port, 30);
  const [ofFew, first] = await compare(
    [few, large].map((id) => {
      const request = { method: "GET", path: `/api/webhooks/${id}/events` };
      return stage.repeating(service, 1, request, "of an endpoint with 30 events");
    }),
  );
  table.row("a page of an endpoint with 10 000 events", first, ofFew);
}

export function captureOf(id: string): Request {
  const headers = {
    "Content-Type": "application/json",
    "X-GitHub-Event": "push",
    "X-Hub-Signature-256": SIGNATURE,
  };
  return { method: "POST", path: `/api/catch/${id}`, headers, body: BODY };
}

/** Makes an endpoint that verifies its events and forwards them to an inbox. */
export async function forwardingEndpoint(
  port: number,
): Promise<{ id: string; inboxEvents: string }> {
  const headers = { "Content-Type": "application/json" };
  const send = (method: "POST" | "PUT", path: string, body: object) =>
    once(port, { method, path, headers, body: JSON.stringify(body) });
  const id = await filledEndpoint(port, 100);
  const inbox: { id: string } = JSON.parse(
    await send("POST", "/api/inboxes", { name: "bench", max_events: 10_000 }),
  );
  await send("PUT", `/api/webhooks/${id}/verification`, { scheme: "github", secret: SECRET });
  await send("PUT", `/api/webhooks/${id}/forward`, { inbox_id: inbox.id });
  return { id, inboxEvents: `/api/inboxes/${inbox.id}/events` };
}

/** Makes an endpoint that holds as many events as it may. */
export async function filledEndpoint(port: number, maxEvents: number): Promise<string> {
  const body = JSON.stringify({ name: "bench", max_events: maxEvents });
  const headers = { "Content-Type": "application/json" };
  const made = await once(port, { method: "POST", path: "/api/webhooks", headers, body });
  const { id }: { id: string } = JSON.parse(made);
  let left = maxEvents;
  await load(
    port,
    Math.min(maxEvents, 64),
    async (connection) => {
      if (left-- <= 0) return 0;
      await connection.send(captureOf(id));
      return 1;
    },
    Number.POSITIVE_INFINITY,
  );
  return id;
}
