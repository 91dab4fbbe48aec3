import { createHmac } from "node:crypto";
import { config } from "@/lib/config/config";

/**
 * Runs when Next starts, on Vercel too. Sets the key that encrypts what server actions close over:
 * the same on all servers, and none that is in a build.
 */
export function register(): void {
  process.env.NEXT_SERVER_ACTIONS_ENCRYPTION_KEY = createHmac("sha256", config().serverSecret)
    .update("server-actions")
    .digest("base64");
}
