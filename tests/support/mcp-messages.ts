/** Messages of the newest revision as they are sent, for what the SDK's client does by itself. */

export interface Answer {
  result: Record<string, unknown> & { taskId: string; status: string; result?: ToolResult };
  error?: { code: number; message: string };
}

interface ToolResult {
  structuredContent: Record<string, unknown> & { data: { id: string; lease_id?: string }[] };
  isError?: boolean;
}

export const TASKS = { "io.modelcontextprotocol/tasks": {} };

/** Sends one message with the capabilities of a client, by default those of one that takes tasks. */
export async function sendMessage(
  baseUrl: string,
  method: string,
  params: Record<string, unknown>,
  { key, capabilities = { extensions: TASKS } }: { key?: string; capabilities?: object } = {},
): Promise<Answer> {
  const revision = "2026-07-28";
  const response = await fetch(new URL("/mcp", baseUrl), {
    method: "POST",
    headers: {
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      "mcp-protocol-version": revision,
      "mcp-method": method,
      "mcp-name": String(params.taskId ?? params.name),
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method,
      params: {
        ...params,
        _meta: {
          "io.modelcontextprotocol/protocolVersion": revision,
          "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
          "io.modelcontextprotocol/clientCapabilities": capabilities,
        },
      },
    }),
  });
  const text = await response.text();
  return JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text);
}
