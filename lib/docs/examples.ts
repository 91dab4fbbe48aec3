import { idsOf, isPrefix } from "@/lib/api/mcp/tool";
import { tools } from "@/lib/api/mcp/tools";
import type { Operation } from "@/lib/platform/http/operation";
import { shellWord } from "@/lib/platform/shell-word";
import { type ClientMethod, clientMethod } from "./client-method";
import { type ExampleRequest, exampleRequest } from "./example-requests";

/** One request to an operation, in every form that can make it. Each text runs as it is. */
interface Examples {
  /** A command for a POSIX shell. Reads the key from `AGENT_INFRA_KEY`. */
  curl: string;
  /** An ES module that uses the client package and reads the key from the same variable. */
  typescript: string;
  /** A call of the MCP tool for this operation, if there is one: `{"name", "arguments"}`. */
  mcp?: string;
}

/** The examples of an operation for the server at this base URL. */
export function examplesOf(operation: Operation, baseUrl: string): Examples {
  const request = exampleRequest(operation);
  const mcp = toolCallOf(operation, request, baseUrl);
  return {
    curl: curlOf(operation, request, baseUrl),
    typescript: typescriptOf(operation, request, baseUrl),
    ...(mcp && { mcp: JSON.stringify(mcp, null, 2) }),
  };
}

/** The parameters of a `tools/call`. */
function toolCallOf(operation: Operation, request: ExampleRequest, baseUrl: string) {
  const { params, query, body } = request;
  const tool = tools.find(({ variants }) => variants.some((one) => one.operation === operation));
  const variant = tool?.variants.find((one) => one.operation === operation);
  if (!tool || !variant) return undefined;
  const { when = {}, renamed = {}, url } = variant;
  const values = Object.entries(when).filter(
    ([, condition]) => typeof condition === "string" && !isPrefix(condition),
  );
  const ids = Object.entries(idsOf(variant)).map(([param, name]) => {
    const value = params[param];
    return [name, param === "n" ? Number(value) : value];
  });
  const fields = operation.rawBody
    ? [["body", body?.json ?? body?.text]]
    : Object.entries(Object(body?.json));
  const given = [...Object.entries(query), ...fields].map(([field, value]) => {
    const name = Object.keys(renamed).find((one) => renamed[one] === field);
    return [name ?? field, value];
  });
  return {
    name: tool.name,
    arguments: Object.fromEntries([
      ...values,
      ...(url === undefined ? ids : [[url, urlOf(operation, { ...request, query: {} }, baseUrl)]]),
      ...given,
    ]),
  };
}

/** Operations that only people call, without a key. */
const KEYLESS: ReadonlySet<string> = new Set(["answerQuestion"]);

function curlOf(operation: Operation, request: ExampleRequest, baseUrl: string): string {
  const { id, method, auth, body: declared } = operation;
  const url = urlOf(operation, request, baseUrl);
  const { body, headers } = request;
  const sent = { ...headers, ...(!declared && body && { "Content-Type": body.contentType }) };
  const implied = body ? "POST" : "GET";
  const options = [
    ...(isStream(operation) ? ["-N"] : []),
    ...(isRedirect(operation) ? ["-i"] : []),
    ...(method === implied ? [] : [`-X ${method}`]),
    shellWord(url),
  ];
  return [
    `curl ${options.join(" ")}`,
    ...(auth === "ignored" || KEYLESS.has(id)
      ? []
      : ['-H "Authorization: Bearer $AGENT_INFRA_KEY"']),
    ...Object.entries(sent).map(([name, value]) => `-H ${shellWord(`${name}: ${value}`)}`),
    ...(body ? [`-d ${shellWord(body.text)}`] : []),
  ].join(" \\\n  ");
}

function typescriptOf(operation: Operation, request: ExampleRequest, baseUrl: string): string {
  const method = clientMethod(operation);
  if (!method && !isStream(operation)) return fetchOf(operation, request, baseUrl);
  return `import { createClient } from "agent-infrastructure-client";

const client = createClient({ baseUrl: "${baseUrl}" });
${method ? methodOf(operation, method, request) : loopOf(operation, request)}`;
}

function methodOf(
  { path, rawBody, success }: Operation,
  { name, input }: ClientMethod,
  { params, query, headers, body }: ExampleRequest,
): string {
  const isText = body && rawBody && !rawBody.schema;
  const sent = { ...headers, ...(isText && { "Content-Type": body.contentType }) };
  const isQuery = input === "query" || input === "list";
  const options = {
    ...(!isQuery && isFilled(query) && { query }),
    ...(isFilled(sent) && { headers: sent }),
  };
  const ids = Array.from(path.matchAll(/\{(\w+)\}/g), ([, id = ""]) => params[id]);
  const fields = isQuery ? query : isText ? body.text : body?.json;
  const isGiven = isQuery ? isFilled(query) : fields !== undefined;
  const given = [...ids, ...(isGiven ? [fields] : []), ...(isFilled(options) ? [options] : [])];
  const call = `await client.${name}(${given.map((one) => literal(one)).join(", ")});\n`;
  if (input === "bytes") {
    return `const bytes = ${call}console.log(new TextDecoder().decode(bytes));\n`;
  }
  return success.schema ? `const data = ${call}console.log(data);\n` : call;
}

function loopOf({ id, path }: Operation, { params }: ExampleRequest): string {
  if (id !== "streamWebhookEvents") {
    return `const { data } = await client.GET("${path}", { parseAs: "stream" });
for await (const bytes of data ?? []) {
  console.log(new TextDecoder().decode(bytes));
  break; // or wait for the next event
}
`;
  }
  return `for await (const event of client.events("${params.id}", { since: "wev_0" })) {
  console.log(event.method, event.body);
  break; // or wait for the next event
}
`;
}

/** Replaced by the key in a text. */
const KEY = "$AGENT_INFRA_KEY";

/** The client has methods for the operations that agents call with a key; for the rest there is `fetch`. */
function fetchOf(operation: Operation, request: ExampleRequest, baseUrl: string): string {
  const { headers, body } = request;
  const sent = {
    ...(operation.auth === "required" && { Authorization: KEY }),
    ...headers,
    ...(body && { "Content-Type": body.contentType }),
  };
  const options = {
    ...(operation.method !== "GET" && { method: operation.method }),
    ...(isFilled(sent) && { headers: sent }),
    ...(body && { body: body.text }),
    ...(isRedirect(operation) && { redirect: "manual" }),
  };
  const written = literal(options).replace(
    `"${KEY}"`,
    `\`Bearer \${process.env.AGENT_INFRA_KEY}\``,
  );
  const rest = isFilled(options) ? `, ${written}` : "";
  const shown = isRedirect(operation)
    ? 'response.headers.get("location")'
    : "await response.text()";
  return `const response = await fetch("${urlOf(operation, request, baseUrl)}"${rest});
console.log(${shown});
`;
}

function urlOf({ path }: Operation, { params, query }: ExampleRequest, baseUrl: string): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ""),
  );
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) =>
      [value].flat().map((one) => [name, String(one)]),
    ),
  );
  return `${baseUrl}${filled}${search.size > 0 ? `?${search}` : ""}`;
}

function isStream({ success }: Operation): boolean {
  return success.contentType === "text/event-stream";
}

function isRedirect({ success }: Operation): boolean {
  return success.status === 303;
}

function isFilled(object: object): boolean {
  return Object.keys(object).length > 0;
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
