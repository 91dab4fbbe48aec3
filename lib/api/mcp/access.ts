import { assertScope } from "@/lib/api/perform";
import type { Caller } from "@/lib/platform/caller";
import { config } from "@/lib/platform/config/config";
import { ApiError } from "@/lib/platform/errors";
import type { Tool, Variant } from "./tool";

/** Throws 401 or 403 if the caller lacks a key or its scope. */
export function assertMayCall(caller: Caller, tool: Tool, { operation }: Variant) {
  const { auth, scope } = operation;
  if (auth === "required" && caller.kind === "anonymous") {
    const { baseUrl } = config();
    throw new ApiError(
      "unauthorized",
      `This call of ${tool.name} needs a key. Send one with every message, as Authorization: Bearer svc_live_…, or connect to ${baseUrl}/mcp?sign_in=true to sign in. ${baseUrl}/auth.md says how to get a key.`,
    );
  }
  if (auth !== "ignored") assertScope({ scope, auth }, caller);
}
