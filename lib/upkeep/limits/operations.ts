import { operation } from "@/lib/platform/http/operation";
import { Limits } from "./contract";
import { limits } from "./service";

export const getLimits = operation("GET /api/limits", {
  id: "getLimits",
  summary: "List all limits",
  description: "`/api/me` shows what remains of yours.",
  auth: "ignored",
  anyQuery: true,
  success: { status: 200, schema: Limits },
  handle: limits,
});
