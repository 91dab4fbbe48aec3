import { createHmac } from "node:crypto";
import { config } from "@/lib/platform/config/config";
import { startTracing } from "@/lib/platform/telemetry/start-tracing";

/**
 * Runs when Next starts, on Vercel too. Sets the key that encrypts the values captured by server
 * actions. It is the same on all servers and not part of a build.
 */
export async function register(): Promise<void> {
  process.env.NEXT_SERVER_ACTIONS_ENCRYPTION_KEY = createHmac("sha256", config().serverSecret)
    .update("server-actions")
    .digest("base64");
  await startTracing();
}
