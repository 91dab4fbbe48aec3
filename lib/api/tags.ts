/** The parts of the API, in the order of the documents. */
export const tags = [
  { name: "Tasks", description: "Units of work with a priority, a due date and labels." },
  { name: "Artifacts", description: "Markdown or HTML documents, and share links to them." },
  { name: "Webhooks", description: "Capture URLs and the requests they received." },
  { name: "Inboxes", description: "Durable work queues, each behind one public URL." },
  { name: "Messages", description: "HTTP requests that are sent later, signed and with retries." },
  { name: "Claims", description: "How a public resource moves to an organization." },
  { name: "Credentials", description: "The current key: its scopes, rotation and revocation." },
  { name: "Agent auth", description: "How an agent gets its own credential." },
  { name: "Discovery", description: "Documents that describe the service." },
  { name: "Operators", description: "For operators of the service, not for its users." },
];

/** The tag's name in a URL: `agent-auth`. */
export function slugOf(tag: string): string {
  return tag.toLowerCase().replaceAll(" ", "-");
}
