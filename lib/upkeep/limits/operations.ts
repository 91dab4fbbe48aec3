import { operation } from "@/lib/platform/http/operation";
import { Limits } from "./contract";
import { limits } from "./service";

export const getLimits = operation({
  id: "getLimits",
  method: "GET",
  path: "/api/limits",
  tag: "Discovery",
  summary: "List all limits",
  description: "`/api/me` shows what remains of yours.",
  auth: "ignored",
  anyQuery: true,
  success: { status: 200, schema: Limits },
  handle: limits,
});
