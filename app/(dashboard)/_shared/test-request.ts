import { act } from "@/app/_shared/act";
import { config } from "@/lib/platform/config/config";
import { jsonOutline } from "@/lib/platform/http/json-outline";
import type { Operation } from "@/lib/platform/http/operation";

/** Sends a person's test request to the capture or ingest URL of a resource. */
export async function sendTestRequest(
  operation: Operation,
  id: string,
  body: string,
  query: Record<string, string> = {},
): Promise<void> {
  const type = jsonOutline(Buffer.from(body)) ? "application/json" : "text/plain; charset=utf-8";
  const agent = { "user-agent": new URL(config().baseUrl).host };
  const content = { headers: { ...agent, "content-type": type }, text: body };
  const request = operation.method === "GET" ? { headers: agent } : content;
  await act(operation, { params: { id }, query, ...request });
}
