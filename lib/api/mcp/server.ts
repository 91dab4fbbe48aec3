import {
  createMcpHandler,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type Tool as ToolDescription,
} from "@modelcontextprotocol/server";
import { config } from "@/lib/platform/config/config";
import { quote } from "@/lib/platform/errors";
import service from "@/package.json" with { type: "json" };
import { callTool, type Session } from "./call";
import { instructions } from "./instructions";
import { withProgress } from "./progress";
import { artifactTemplate, listResources, readResource } from "./resources";
import { type Tool, variantsOf } from "./tool";
import { inputSchema, outputSchema } from "./tool-schemas";
import { toolNamed, tools } from "./tools";

/** How long clients may keep the lists, which only a new version of the service changes. */
const LISTS = { ttlMs: 300_000, cacheScope: "public" as const };

/** Handles one message with a new server, which keeps no state. */
export function fetchMcp(
  request: Request,
  message: unknown,
  session: Omit<Session, "signal">,
): Promise<Response> {
  const onerror = () => {}; // it reports refused requests, and the response explains them
  return createMcpHandler(() => serverFor(session), { onerror }).fetch(request, {
    parsedBody: message,
  });
}

function serverFor(session: Omit<Session, "signal">): Server {
  const server = new Server(
    {
      name: service.name,
      title: "Agent Infrastructure",
      version: service.version,
      websiteUrl: config().baseUrl,
    },
    {
      capabilities: { tools: {}, resources: {} },
      instructions: instructions(session.caller),
      cacheHints: { "tools/list": LISTS, "resources/templates/list": LISTS },
    },
  );
  server.setRequestHandler("tools/list", () => ({ tools: descriptions }));
  server.setRequestHandler("tools/call", async ({ params }, { mcpReq }) => {
    const tool = toolNamed(params.name);
    if (!tool) {
      const problem = `There is no tool ${quote(params.name)}; tools/list has all.`;
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, problem);
    }
    const args = params.arguments ?? {};
    return withProgress(tool, args, mcpReq, () =>
      callTool(tool, args, { ...session, signal: mcpReq.signal }),
    );
  });
  server.setRequestHandler("resources/list", ({ params }, { mcpReq }) =>
    listResources({ ...session, signal: mcpReq.signal }, params?.cursor),
  );
  server.setRequestHandler("resources/templates/list", () => ({
    resourceTemplates: [artifactTemplate],
  }));
  server.setRequestHandler("resources/read", ({ params }, { mcpReq }) =>
    readResource({ ...session, signal: mcpReq.signal }, params.uri),
  );
  return server;
}

const descriptions = tools.map(describe);

/** A tool as clients see it. */
function describe(tool: Tool): ToolDescription {
  const { name, purpose, example, hints = {} } = tool;
  const methods = variantsOf(tool).map(({ operation }) => operation.method);
  const readOnly = methods.every((method) => method === "GET");
  const replaces = methods.every((method) => method === "PATCH");
  return {
    name,
    title: sentence(name),
    description: `${purpose}\nExample: ${JSON.stringify(example)}`,
    inputSchema: asJson(inputSchema(tool)),
    outputSchema: asJson(outputSchema(tool)),
    annotations: {
      readOnlyHint: readOnly,
      destructiveHint: hints.destructive ?? replaces,
      idempotentHint: hints.idempotent ?? (readOnly || replaces),
      openWorldHint: hints.openWorld ?? false,
    },
  };
}

/** A copy without undefined members, as the SDK's types require. */
function asJson(schema: object) {
  return JSON.parse(JSON.stringify(schema));
}

/** `next_task` → `Next task` */
function sentence(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll("_", " ")}`;
}
