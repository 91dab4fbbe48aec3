import {
  type CallToolResult,
  Client,
  type ElicitRequestFormParams,
  type ElicitResult,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { test as base, expect } from "./fixtures";
import { type ApiResponse, type CallOptions, call } from "./http";

export const REVISIONS = ["2026-07-28", "2025-11-25"] as const;
export type Revision = (typeof REVISIONS)[number];

interface Connection {
  key?: string;
  revision?: Revision;
  fetch?: typeof fetch;
  /** Shows its user a form; without it the client declares no elicitation. */
  elicit?: (asked: ElicitRequestFormParams) => ElicitResult | Promise<ElicitResult>;
}

interface McpFixtures {
  /** Connects the SDK's client to `/mcp`; closed after the test. */
  connect: (connection?: Connection) => Promise<Client>;
  /** POSTs one message, with the headers that the protocol asks for. */
  post: (message: unknown, options?: CallOptions) => Promise<ApiResponse>;
}

export const test = base.extend<McpFixtures>({
  connect: async ({ baseUrl }, use) => {
    const clients: Client[] = [];
    await use(async (connection) => {
      const client = await connect(baseUrl, connection);
      clients.push(client);
      return client;
    });
    for (const client of clients) await client.close();
  },
  post: async ({ baseUrl }, use) => {
    await use((message, { headers, ...options } = {}) =>
      call(baseUrl, "POST", "/mcp", {
        body: message,
        ...options,
        headers: { accept: "application/json, text/event-stream", ...headers },
      }),
    );
  },
});

export async function connect(
  baseUrl: string,
  { key, revision = "2026-07-28", fetch, elicit }: Connection = {},
): Promise<Client> {
  const mode = revision === "2025-11-25" ? "legacy" : { pin: revision };
  const client = new Client(
    { name: "test", version: "1" },
    {
      versionNegotiation: { mode },
      ...(elicit && { capabilities: { elicitation: { form: {} } } }),
    },
  );
  if (elicit) {
    client.setRequestHandler("elicitation/create", ({ params }) => {
      if (params.mode === "url") throw new Error("The client declared forms only.");
      return elicit(params);
    });
  }
  const transport = new StreamableHTTPClientTransport(new URL("/mcp", baseUrl), {
    ...(key !== undefined && { requestInit: { headers: { authorization: `Bearer ${key}` } } }),
    ...(fetch && { fetch }),
  });
  await client.connect(transport);
  return client;
}

/** A result's fields, of which each tool has some. */
export interface Structured {
  id: string;
  warning: string;
  cut: string[];
  [name: string]: unknown;
}

/** Calls a tool that must succeed and returns its structured content. */
export async function callTool(
  client: Client,
  name: string,
  args: Record<string, unknown>,
): Promise<Structured> {
  return structuredOf(await callWhole(client, name, args));
}

/** The same, and returns the whole result. */
export async function callWhole(client: Client, name: string, args: Record<string, unknown>) {
  const result = await client.callTool({ name, arguments: args });
  expect(result.isError, JSON.stringify(result.content)).toBeFalsy();
  return result;
}

/** The structured content of a result, which its text repeats. */
export function structuredOf({ content, structuredContent }: CallToolResult): Structured {
  const [first] = content;
  const structured = JSON.parse(first?.type === "text" ? first.text : "");
  expect(structured).toEqual(structuredContent);
  return structured;
}

/** Calls a tool that must fail and returns the error envelope in its result. */
export async function failTool(client: Client, name: string, args: Record<string, unknown>) {
  const result = await client.callTool({ name, arguments: args });
  expect(result.isError).toBe(true);
  const [content] = result.content;
  return JSON.parse(content?.type === "text" ? content.text : "").error;
}

/** A `tools/call` message of the 2025 revision. */
export function toolCall(name: string, args: object, id = 1) {
  return { jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: args } };
}

/** The JSON-RPC message of a response, whether it is JSON or a stream of one event. */
export function messageOf({ text }: ApiResponse) {
  const data = /^data: (.*)$/m.exec(text)?.[1];
  return JSON.parse(data ?? text);
}
