import { config } from "@/lib/config/config";

/**
 * Logs a request as one line of JSON, in public mode. Logs the path template, since the ID of a
 * public resource grants access to it, and never a body or secret.
 */
export function logRequest(entry: {
  method: string;
  path: string | null;
  status: number;
  ms: number;
  request_id: string;
  key_id: string | null;
}): void {
  if (!config().localMode) console.log(JSON.stringify(entry));
}
