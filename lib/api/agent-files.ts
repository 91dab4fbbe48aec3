import { config } from "@/lib/platform/config/config";
import { operation } from "@/lib/platform/http/operation";
import { publicDocument } from "@/lib/platform/http/public-document";
import server from "@/server.json" with { type: "json" };
import { constant, lazy } from "./public-text";
import { SkillsIndex, skillsIndexOf, skillText } from "./skill";

const AI_CATALOG_TYPE = "application/ai-catalog+json";
const SERVER_CARD_TYPE = "application/mcp-server-card+json";

/** The properties that every operation of this file shares. */
const document = { ...publicDocument, conditional: true } as const;

export const agentFileOperations = {
  getSkill: operation("GET /skill.md", {
    ...document,
    id: "getSkill",
    summary: "Get the skill for agents (agentskills.io)",
    success: { status: 200, contentType: "text/markdown" },
    handle: () => skill(),
  }),
  getSkillsIndex: operation("GET /.well-known/agent-skills/index.json", {
    ...document,
    id: "getSkillsIndex",
    summary: "List the skills for agents",
    description: "In the format of Agent Skills Discovery 0.2.0, with the digest of each skill.",
    success: { status: 200, schema: SkillsIndex },
    handle: () => skillsIndex(),
  }),
  getAiCatalog: operation("GET /.well-known/ai-catalog.json", {
    ...document,
    id: "getAiCatalog",
    summary: "List the MCP server and the skill",
    description: "In the format of AI Catalog 1.0.",
    success: { status: 200, contentType: AI_CATALOG_TYPE },
    handle: () => catalog(),
  }),
  getServerCard: operation("GET /mcp/server-card", {
    ...document,
    id: "getServerCard",
    summary: "Describe the MCP server",
    description: "Its MCP Server Card: its name, version and address.",
    success: { status: 200, contentType: SERVER_CARD_TYPE },
    handle: () => card(),
  }),
  getRobots: operation("GET /robots.txt", {
    ...document,
    id: "getRobots",
    summary: "What crawlers may read (RFC 9309)",
    success: { status: 200, contentType: "text/plain" },
    handle: () => robots(),
  }),
  getSecurityText: operation("GET /.well-known/security.txt", {
    ...document,
    id: "getSecurityText",
    summary: "How to report a vulnerability (RFC 9116)",
    success: { status: 200, contentType: "text/plain" },
    handle: () => constant("text/plain; charset=utf-8", securityText()),
  }),
};

const skill = lazy(() => constant("text/markdown; charset=utf-8", skillText(config().baseUrl)));
const robots = lazy(() => constant("text/plain; charset=utf-8", robotsText()));
const skillsIndex = lazy(() =>
  constant("application/json", JSON.stringify(skillsIndexOf(config().baseUrl))),
);
const catalog = lazy(() => constant(AI_CATALOG_TYPE, JSON.stringify(aiCatalog())));
const card = lazy(() => constant(SERVER_CARD_TYPE, JSON.stringify(serverCard())));

const [, NAME = ""] = server.name.split("/");
const [remote] = server.remotes;

/** The AI Catalog (version 1.0) of this service. It lists the MCP server and the skill. */
function aiCatalog() {
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

/** The MCP Server Card of `/mcp`: what server.json says, with this server's name and address. */
function serverCard() {
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

/** `agents.acme.dev` → `dev.acme.agents`; an address of IPv6 has no such form. */
function reversed(hostname: string): string {
  return hostname.startsWith("[") ? "localhost" : hostname.split(".").reverse().join(".");
}

/**
 * The text of `/robots.txt` (RFC 9309). Crawlers may read the home page, the documentation and the
 * documents for agents; everything else belongs to somebody.
 */
function robotsText(): string {
  return ["User-agent: *", ...OPEN.map((path) => `Allow: ${path}`), "Disallow: /", ""].join("\n");
}

/** A path allows everything that starts with it; `$` marks its end. */
const OPEN = [
  "/$",
  "/docs",
  "/_next/static/",
  "/icon.svg",
  "/llms.txt",
  "/llms-full.txt",
  "/client.tgz",
  "/mcp/server-card",
  "/skill.md",
  "/auth.md",
  "/openapi.json",
  "/openapi/",
  "/.well-known/",
];

/** The text of `/.well-known/security.txt` (RFC 9116), valid for six to seven months. */
function securityText(): string {
  const { baseUrl, securityContact } = config();
  const now = new Date();
  // The first of a month, so that the document changes once a month.
  const expires = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 7, 1));
  return `Contact: ${securityContact}
Expires: ${expires.toISOString().replace(".000Z", "Z")}
Preferred-Languages: en
Canonical: ${baseUrl}/.well-known/security.txt
Policy: ${baseUrl}/docs/security
`;
}
