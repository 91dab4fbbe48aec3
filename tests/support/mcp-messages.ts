/** Messages of the newest revision as they are sent, for what the SDK's client does by itself. */

export interface Answer {
  result: Record<string, unknown> & {
    taskId: string;
    status: string;
    result?: ToolResult;
    content?: { text: string }[];
  };
  error?: { code: number; message: string };
}

interface ToolResult {
  structuredContent: Record<string, unknown> & { data: { id: string; lease_id?: string }[] };
  isError?: boolean;
}

export const TASKS = { "io.modelcontextprotocol/tasks": {} };

/** A POST of one message, with the metadata that the newest revision asks for. */
export function mcpRequest(
  method: string,
  params: object,
  {
    key,
    revision = "2026-07-28",
    capabilities = {},
    name,
  }: { key?: string; revision?: string; capabilities?: object; name?: unknown } = {},
) {
  const isModern = revision === "2026-07-28";
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": revision,
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": capabilities,
  };
  return {
    method: "POST",
    headers: {
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      "mcp-protocol-version": revision,
      ...(isModern && { "mcp-method": method }),
      ...(name !== undefined && { "mcp-name": String(name) }),
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 7,
      method,
      params: { ...params, ...(isModern && { _meta }) },
    }),
  };
}

/** Sends one message with the capabilities of a client, by default those of one that takes tasks. */
export async function sendMessage(
  baseUrl: string,
  method: string,
  params: Record<string, unknown>,
  { key, capabilities = { extensions: TASKS } }: { key?: string; capabilities?: object } = {},
): Promise<Answer> {
  const name = params.taskId ?? params.name;
  const request = mcpRequest(method, params, { ...(key && { key }), capabilities, name });
  const text = await (await fetch(new URL("/mcp", baseUrl), request)).text();
  return JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text);
}
