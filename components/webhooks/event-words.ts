import type { WebhookEvent } from "@/lib/webhooks/contract";

const LINE_MAX = 160;

/** What tells one request from the next: the path below the capture URL, and how its body begins. */
export function eventWords(event: WebhookEvent): { path: string; line: string } {
  const below = event.path.split("/").slice(4).join("/");
  const query = event.query_string === "" ? "" : `?${event.query_string}`;
  const path = below === "" ? query : `/${below}${query}`;
  return { path: path.slice(0, LINE_MAX), line: firstLine(event) };
}

function firstLine({ body, body_encoding }: WebhookEvent): string {
  if (body === null) return "";
  if (body_encoding === "base64") return "bytes that are no text";
  const start = body.slice(0, 10_000).trimStart();
  // Laid-out JSON begins with a line that says nothing.
  const line = /^[{[]/.test(start) ? start.replace(/\s+/g, " ") : (start.split("\n", 1)[0] ?? "");
  return line.slice(0, LINE_MAX);
}
