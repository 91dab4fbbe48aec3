import { config } from "@/lib/platform/config/config";
import { operation } from "@/lib/platform/http/operation";
import { publicDocument } from "@/lib/platform/http/public-document";
import { AI_CATALOG_TYPE, aiCatalog, SERVER_CARD_TYPE, serverCard } from "./ai-catalog";
import { constant, lazy } from "./public-text";
import { robotsText } from "./robots";
import { securityText } from "./security-text";
import { SkillsIndex, skillsIndexOf, skillText } from "./skill";

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
    handle: () => constant("text/plain; charset=utf-8", securityText(new Date())),
  }),
};

const skill = lazy(() => constant("text/markdown; charset=utf-8", skillText(config().baseUrl)));
const robots = lazy(() => constant("text/plain; charset=utf-8", robotsText()));
const skillsIndex = lazy(() =>
  constant("application/json", JSON.stringify(skillsIndexOf(config().baseUrl))),
);
const catalog = lazy(() => constant(AI_CATALOG_TYPE, JSON.stringify(aiCatalog())));
const card = lazy(() => constant(SERVER_CARD_TYPE, JSON.stringify(serverCard())));
