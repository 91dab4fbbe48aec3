import { toApiError } from "@/lib/http/errors";

/** What a route of the dashboard's own answers when a service refuses: the status, and why in words. */
export function refusal(thrown: unknown): Response {
  const error = toApiError(thrown);
  if (error.code === "internal_error") console.error(thrown);
  return new Response(error.message, {
    status: error.status,
    headers: { "Content-Type": "text/plain; charset=utf-8" },
  });
}
