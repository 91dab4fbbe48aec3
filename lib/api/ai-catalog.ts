import { config } from "@/lib/platform/config/config";
import server from "@/server.json" with { type: "json" };

const [, NAME = ""] = server.name.split("/");
const [remote] = server.remotes;

/** The AI Catalog (version 1.0) of this service. It lists the MCP server and the skill. */
export function aiCatalog() {
  const { baseUrl } = config();
  const { hostname } = new URL(baseUrl);
  return {
    specVersion: "1.0",
    host: {
      displayName: server.title,
      identifier: hostname,
      documentationUrl: `${baseUrl}/docs`,
    },
    entries: [
      {
        identifier: `urn:air:${hostname}:mcp:${NAME}`,
        type: SERVER_CARD_TYPE,
        url: `${baseUrl}/mcp/server-card`,
      },
      {
        identifier: `urn:air:${hostname}:skill:${NAME}`,
        type: "application/agent-skills+md",
        url: `${baseUrl}/skill.md`,
      },
    ],
  };
}

export const AI_CATALOG_TYPE = "application/ai-catalog+json";

/** The MCP Server Card of `/mcp`: what server.json says, with this server's name and address. */
export function serverCard() {
  const { baseUrl } = config();
  return {
    $schema: "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
    name: `${reversed(new URL(baseUrl).hostname)}/${NAME}`,
    version: server.version,
    title: server.title,
    description: server.description,
    websiteUrl: baseUrl,
    remotes: [{ type: "streamable-http", url: `${baseUrl}/mcp`, headers: remote?.headers ?? [] }],
  };
}

export const SERVER_CARD_TYPE = "application/mcp-server-card+json";

/** `agents.acme.dev` → `dev.acme.agents`; an address of IPv6 has no such form. */
function reversed(hostname: string): string {
  return hostname.startsWith("[") ? "localhost" : hostname.split(".").reverse().join(".");
}
