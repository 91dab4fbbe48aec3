import {
  createMcpHandler,
  type McpRequestContext,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type Tool as ToolDescription,
} from "@modelcontextprotocol/server";
import { config } from "@/lib/platform/config/config";
import { quote } from "@/lib/platform/errors";
import service from "@/package.json" with { type: "json" };
import { askPerson, type Exchange } from "./ask-person";
import { failure, type Session } from "./call";
import { addEvents, eventCapabilities } from "./events/register";
import { instructions } from "./instructions";
import { withProgress } from "./progress";
import { artifactTemplate, listResources, readResource } from "./resources";
import { type Asked, isReadOnly } from "./selected-tools";
import { addSkills, readSkill, skillCapability } from "./skills";
import { understood } from "./synonyms";
import { addTasks, callOrTask, taskCapability } from "./tasks";
import { type Tool, variantFor } from "./tool";
import { inputSchema } from "./tool-schemas";

/** How long clients may keep the lists, which only a new version of the service changes. */
const LISTS = { ttlMs: 300_000, cacheScope: "public" as const };

/** Handles one message with a new server, which keeps no state. */
export function fetchMcp(
  request: Request,
  message: unknown,
  session: Omit<Session, "signal">,
): Promise<Response> {
  const onerror = () => {}; // it reports refused requests, and the response explains them
  return createMcpHandler(({ era }) => serverFor(session, era), { onerror }).fetch(request, {
    parsedBody: message,
  });
}

function serverFor(session: Omit<Session, "signal">, era: McpRequestContext["era"]): Server {
  const server = new Server(
    {
      name: service.name,
      title: "Agent Infrastructure",
      version: service.version,
      websiteUrl: config().baseUrl,
    },
    {
      capabilities: {
        tools: {},
        resources: {},
        ...eventCapabilities,
        extensions: { ...eventCapabilities.extensions, ...skillCapability, ...taskCapability },
      },
      instructions: instructions(session.caller, session.tools),
      cacheHints: { "tools/list": LISTS, "resources/templates/list": LISTS },
    },
  );
  /** Sends a request of the server's on the stream of the request with the ID `during`. */
  const send: Exchange["send"] = async (request, during) =>
    server.transport?.send({ jsonrpc: "2.0", ...request }, { relatedRequestId: during });
  server.setRequestHandler("tools/list", () => ({
    tools: [...session.tools.values()].map((tool) => describe(tool, session.asked)),
  }));
  server.setRequestHandler("tools/call", async ({ params }, { mcpReq }) => {
    const tool = session.tools.get(params.name);
    if (!tool) {
      const problem = `There is no tool ${quote(params.name)}; tools/list has all.`;
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, problem);
    }
    const args = understood(tool, params.arguments ?? {});
    const called = { ...session, signal: mcpReq.signal };
    return withProgress(tool, args, mcpReq, () =>
      tool.asks
        ? askPerson(tool, args, called, { request: mcpReq, ...(era === "legacy" && { send }) })
        : callOrTask(tool, args, called),
    ).catch((thrown: unknown) => {
      if (thrown instanceof ProtocolError) throw thrown;
      return failure(thrown, session);
    });
  });
  server.setRequestHandler("resources/list", ({ params }, { mcpReq }) =>
    listResources({ ...session, signal: mcpReq.signal }, params?.cursor),
  );
  server.setRequestHandler("resources/templates/list", () => ({
    resourceTemplates: [artifactTemplate],
  }));
  server.setRequestHandler(
    "resources/read",
    async ({ params }, { mcpReq }) =>
      readSkill(params.uri) ??
      (await readResource({ ...session, signal: mcpReq.signal }, params.uri)),
  );
  addEvents(server, session);
  addSkills(server);
  addTasks(server, session);
  return server;
}

/** A tool as clients see it. A hint that is left out has the protocol's default. */
function describe(tool: Tool, { sign_in }: Asked): ToolDescription {
  const { name, purpose, examples, hints = {} } = tool;
  const readOnly = isReadOnly(tool);
  return {
    name,
    title: sentence(name),
    description: [
      purpose,
      ...examples
        .filter((one) => variantFor(tool, one))
        .map((one) => `Example: ${JSON.stringify(one)}`),
    ].join("\n"),
    // A copy without undefined members, as the SDK's types require.
    ...securitySchemes(tool, sign_in),
    inputSchema: JSON.parse(JSON.stringify(inputSchema(tool))),
    annotations: {
      readOnlyHint: readOnly,
      ...(!readOnly && { destructiveHint: hints.destructive ?? false }),
      ...(!readOnly && hints.idempotent && { idempotentHint: true }),
      ...(!hints.openWorld && { openWorldHint: false }),
    },
  };
}

/** How ChatGPT may call it: without a credential, or with an access token of this scope. */
function securitySchemes({ variants }: Tool, signsIn: boolean) {
  const operations = variants.map(({ operation }) => operation);
  const isOpen = !signsIn && operations.some(({ auth }) => auth !== "required");
  const scope = operations.some(({ scope }) => scope === "api.write") ? "api.write" : "api.read";
  const takesTokens = signsIn || operations.some(({ auth }) => auth !== "ignored");
  return {
    securitySchemes: [
      ...(isOpen ? [{ type: "noauth" }] : []),
      ...(takesTokens ? [{ type: "oauth2", scopes: [scope] }] : []),
    ],
  };
}

/** `run_now` → `Run now` */
function sentence(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll("_", " ")}`;
}
