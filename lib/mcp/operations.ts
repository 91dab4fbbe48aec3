import { config } from "@/lib/config/config";
import { z } from "zod";
import { ARTIFACT_BODY_BYTES_MAX } from "@/lib/artifacts/contract";
import { operation } from "@/lib/http/operation";
import { answerMessage } from "./endpoint";

export const callMcp = operation({
  id: "callMcp",
  method: "POST",
  path: "/mcp",
  tag: "Discovery",
  inPartOnly: true,
  summary: "The MCP server",
  description:
    "Model Context Protocol over stateless streamable HTTP, revisions 2026-07-28 and 2025-11-25.",
  audience: "mcp",
  countsAsRead: true,
  repeatable: false,
  rawBody: { contentType: "application/json", schema: z.looseObject({}) },
  anyQuery: true,
  success: { status: 200, contentType: "application/json" },
  failures: [202, 400, 403, 406, 413, 415],
  handle: ({ caller, request }) => answerMessage(caller, request),
});

export const mcpOperations = [callMcp];
