import type { Operation } from "@/lib/http/operation";
import { type ExampleRequest, exampleRequest } from "./example-requests";

/** One request to an operation, written for each way to make it. Each text runs as it is. */
export interface Examples {
  /** A command for a POSIX shell. Reads the key from `AGENT_INFRA_KEY`. */
  curl: string;
  /** An ES module that uses the client package, and reads the key from the same variable. */
  typescript: string;
  /** A call of the MCP tool for this operation, where there is one: `{"name", "arguments"}`. */
  mcp?: string;
}

/** The examples of an operation, for the server at this base URL. */
export function examplesOf(operation: Operation, baseUrl: string): Examples {
  const request = exampleRequest(operation);
  return {
    curl: curlOf(operation, request, baseUrl),
    typescript: typescriptOf(operation, request, baseUrl),
  };
}

function curlOf(operation: Operation, request: ExampleRequest, baseUrl: string): string {
  const { method, auth, body: declared } = operation;
  const url = urlOf(operation, request, baseUrl);
  const { body, headers } = request;
  const sent = { ...headers, ...(!declared && body && { "Content-Type": body.contentType }) };
  const implied = body ? "POST" : "GET";
  const options = [
    ...(isStream(operation) ? ["-N"] : []),
    ...(method === implied ? [] : [`-X ${method}`]),
    url.includes("&") || url.includes("?") ? quoted(url) : url,
  ];
  return [
    `curl ${options.join(" ")}`,
    ...(auth === "ignored" ? [] : ['-H "Authorization: Bearer $AGENT_INFRA_KEY"']),
    ...Object.entries(sent).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body ? [`-d ${quoted(body.text)}`] : []),
  ].join(" \\\n  ");
}

function typescriptOf(operation: Operation, request: ExampleRequest, baseUrl: string): string {
  if (operation.inPartOnly) return fetchOf(operation, request, baseUrl);
  const { auth, method, path } = operation;
  const { params, query, headers, body } = request;
  const given = {
    ...(Object.keys(params).length > 0 && { path: params }),
    ...(Object.keys(query).length > 0 && { query }),
  };
  const options = {
    ...(Object.keys(given).length > 0 && { params: given }),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(body && { body: body.json ?? body.text }),
  };
  const settings = `{ baseUrl: "${baseUrl}"${auth === "ignored" ? "" : ", apiKey: process.env.AGENT_INFRA_KEY"} }`;
  const rest = Object.keys(options).length > 0 ? `, ${literal(options)}` : "";
  return `import { createClient } from "agent-infrastructure-client";

const client = createClient(${settings});
const { data } = await client.${method}("${path}"${rest});
console.log(data);
`;
}

/** The client has types for what agents call; for anything else there is `fetch`. */
function fetchOf(operation: Operation, request: ExampleRequest, baseUrl: string): string {
  const { headers, body } = request;
  const sent = { ...headers, ...(body && { "Content-Type": body.contentType }) };
  const options = {
    ...(operation.method !== "GET" && { method: operation.method }),
    ...(Object.keys(sent).length > 0 && { headers: sent }),
    ...(body && { body: body.text }),
  };
  const rest = Object.keys(options).length > 0 ? `, ${literal(options)}` : "";
  return `const response = await fetch("${urlOf(operation, request, baseUrl)}"${rest});
console.log(response.status, await response.text());
`;
}

function urlOf({ path }: Operation, { params, query }: ExampleRequest, baseUrl: string): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ""),
  );
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]) => [name, String(value)]),
  );
  return `${baseUrl}${filled}${search.size > 0 ? `?${search}` : ""}`;
}

function isStream({ success }: Operation): boolean {
  return success.contentType === "text/event-stream";
}

/** A value as TypeScript source, on one line if it is short. */
function literal(value: unknown, indent = ""): string {
  const short = inline(value);
  if (short.length + indent.length <= 60 || typeof value !== "object" || value === null) {
    return short;
  }
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    return `[\n${value.map((one) => `${inner}${literal(one, inner)},\n`).join("")}${indent}]`;
  }
  const lines = Object.entries(value).map(
    ([name, one]) => `${inner}${property(name)}: ${literal(one, inner)},\n`,
  );
  return `{\n${lines.join("")}${indent}}`;
}

function inline(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(inline).join(", ")}]`;
  const entries = Object.entries(value).map(([name, one]) => `${property(name)}: ${inline(one)}`);
  return entries.length > 0 ? `{ ${entries.join(", ")} }` : "{}";
}

function property(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
