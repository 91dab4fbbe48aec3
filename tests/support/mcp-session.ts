import type { Client } from "@modelcontextprotocol/client";
import { expect } from "./fixtures";
import { callTool, connect, type Revision } from "./mcp";

/** One step of a session: what the client did, its HTTP requests and the bytes of their bodies. */
export interface Step {
  what: string;
  requests: number;
  sent: number;
  received: number;
}

/**
 * All five jobs in one session of the SDK's client, which knows only the URL and has no key. Throws
 * when a job fails.
 */
export async function fiveJobs(baseUrl: string, revision: Revision): Promise<Step[]> {
  const wire = new Wire();
  const client = await connect(baseUrl, { revision, fetch: wire.fetch });
  try {
    const steps = [wire.step("Connect")];
    await client.listTools();
    steps.push(wire.step("List the tools"));
    const tool = async (name: string, args: Record<string, unknown>) => {
      const result = await callTool(client, name, args);
      steps.push(wire.step(`\`${name}\``));
      return result;
    };
    await shareTask(tool);
    await callBack(baseUrl, tool, client, wire);
    await handOver(tool);
    await queue(tool);
    return steps;
  } finally {
    await client.close();
  }
}

type CallTool = (name: string, args: Record<string, unknown>) => ReturnType<typeof callTool>;

async function shareTask(tool: CallTool) {
  const task = await tool("create_task", { name: "Write the report", priority: "high" });
  expect(task.claim_link).toContain(task.id);
  await tool("update", { id: task.id, labels: ["in-progress"] });
  await tool("complete_task", { id: task.id });
  expect((await tool("get", { id: task.id })).labels).toEqual(["done"]);
}

/** A webhook captures what a message delivers. */
async function callBack(baseUrl: string, tool: CallTool, client: Client, wire: Wire) {
  const endpoint = await tool("create_webhook", { name: "Call me back" });
  const message = await tool("schedule_message", {
    url: endpoint.url,
    body: '{"wake":"up"}',
    delay_seconds: 0,
  });
  // What the scheduler of `npm start` or a cron job does every few seconds.
  await fetch(new URL("/api/messages/dispatch", baseUrl), { method: "POST" });
  const captured = await tool("wait", { id: endpoint.id, wait: 25 });
  expect(captured.data).toMatchObject([{ body: '{"wake":"up"}' }]);
  const delivery = { id: message.id };
  const status = async () => (await callTool(client, "get", delivery)).status;
  await expect.poll(status).toBe("delivered");
  wire.step("The response to the delivery may still be on its way");
  await tool("get", delivery);
  const later = await tool("schedule_message", { url: endpoint.url, delay_seconds: 3600 });
  const canceled = await tool("update", { id: later.id, stop: "sending" });
  expect(canceled.status).toBe("canceled");
}

async function handOver(tool: CallTool) {
  const report = await tool("publish_artifact", { name: "Report", content: "# Draft\n" });
  await tool("update", { id: report.id, content: "# Report\n\nAll done.\n" });
  const shared = await fetch(`${report.share_url}/raw`);
  expect(await shared.text()).toBe("# Report\n\nAll done.\n");
}

async function queue(tool: CallTool) {
  const inbox = await tool("create_inbox", { name: "Orders" });
  await tool("send_to_inbox", { id: inbox.id, body: { order: 7 } });
  const work = await tool("receive_work", { id: inbox.id, wait_seconds: 20 });
  expect(work.data).toMatchObject([{ parsed_body: { order: 7 } }]);
  const [event] = Array.isArray(work.data) ? work.data : [];
  const lease = { event_id: event.id, lease_id: event.lease_id };
  await tool("finish_work", { id: inbox.id, ...lease });
}

/** Counts requests and the bytes of their bodies. */
class Wire {
  #requests = 0;
  #sent = 0;
  #received = 0;

  readonly fetch: typeof fetch = async (input, init) => {
    const body = typeof init?.body === "string" ? init.body : "";
    this.#requests += 1;
    this.#sent += Buffer.byteLength(body);
    const response = await fetch(input, init);
    const counted = response.body?.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform: (chunk, controller) => {
          this.#received += chunk.length;
          controller.enqueue(chunk);
        },
      }),
    );
    const { status, headers } = response;
    return new Response(counted ?? null, { status, headers });
  };

  /** What was counted since the last step. */
  step(what: string): Step {
    const step = { what, requests: this.#requests, sent: this.#sent, received: this.#received };
    this.#requests = this.#sent = this.#received = 0;
    return step;
  }
}
