import { config } from "@/lib/config";
import type { Operation } from "./operation";

/** `/llms.txt`: what a language model needs to use the service at once. Markdown, as llmstxt.org has it. */
export function llmsText(operations: readonly Operation[]): string {
  const { baseUrl } = config();
  const tags = [...new Set(operations.map(({ tag }) => tag))];
  return `# Agent Infrastructure

> Tasks, webhook capture URLs, documents, delayed HTTP requests and durable inboxes for AI agents, each in one HTTP call to ${baseUrl}. No account is needed to begin.

- Send JSON, get JSON. Unknown properties are refused. Times are Unix seconds.
- Without a key, what you create is public to those who know its ID and is in no list. Keep its \`id\`, and give its \`claim_url\` and \`claim_token\` to your user, who claims it.
- With \`Authorization: Bearer svc_live_…\` it belongs to your organization. You can get a key yourself: ${baseUrl}/auth.md
- Lists take \`limit\` (1 to 100) and \`after\` (the \`next_cursor\` of the page before).
- \`Idempotency-Key\` (a random one, such as a UUID) makes every POST safe to repeat for 24 hours; \`ETag\` and \`If-Match\` keep two writers apart.
- Errors are \`{"error": {"type", "code", "message", "param", "request_id"}}\`; the message says what is allowed. After 429 and 503 wait as long as \`Retry-After\` says.

Begin with one of these:

    curl ${baseUrl}/api/tasks -d '{"name": "Write the report"}'
    curl ${baseUrl}/api/webhooks -d '{"name": "Pushes"}'
    curl ${baseUrl}/api/artifacts -d '{"name": "Report", "content": "# Report"}'
    curl ${baseUrl}/api/messages -d '{"url": "https://example.com", "delay_seconds": 60}'
    curl ${baseUrl}/api/inboxes -d '{"name": "Orders"}'

## Documents

- [OpenAPI 3.1](${baseUrl}/openapi.json): every operation with its fields and limits
- [Credentials](${baseUrl}/auth.md): how an agent gets a key by itself
- [Health](${baseUrl}/api/health): whether the service works

${tags.map((tag) => section(tag, operations)).join("\n\n")}
`;
}

function section(tag: string, operations: readonly Operation[]): string {
  const lines = operations
    .filter((operation) => operation.tag === tag)
    .map(({ method, path, summary, auth }) => {
      const key = auth === "required" ? " (key required)" : "";
      return `- \`${method} ${path}\`: ${summary}${key}`;
    });
  return `## ${tag}\n\n${lines.join("\n")}`;
}
