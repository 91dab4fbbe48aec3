import { config } from "@/lib/config/config";

/**
 * Writes one line of JSON about an answered request, in public mode. The path is the template: no ID
 * of a public resource, which is its permission, ever stands in a log; nor does any body or secret.
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
