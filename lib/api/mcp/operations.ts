import { operation } from "@/lib/platform/http/operation";
import { Asked } from "./selected-tools";

export const callMcp = operation("POST /mcp", {
  id: "callMcp",
  inPartOnly: true,
  summary: "Send a message to the MCP server",
  description:
    "Model Context Protocol over stateless streamable HTTP, in the revisions 2026-07-28 and 2025-11-25.",
  audience: "mcp",
  wantsSignIn: (search) => new URLSearchParams(search).get("sign_in") === "true",
  scope: null,
  countsAsRead: true,
  repeatable: false,
  rawBody: { contentType: "application/json" },
  query: Asked,
  anyQuery: true,
  success: { status: 200, contentType: "application/json" },
  failures: [400, 403, 406, 413, 415],
  async handle({ caller, request, query }) {
    // Loaded on demand, which saves memory on servers without MCP clients.
    const { handleMessage } = await import("./endpoint");
    return handleMessage(caller, request, query);
  },
});
