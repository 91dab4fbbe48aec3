/** The parts of the interface, in the order in which the documents show them. */
export const tags = [
  { name: "Tasks", description: "Units of work with a priority, a due date and labels." },
  { name: "Artifacts", description: "Markdown or HTML documents, and links that show them." },
  { name: "Webhooks", description: "Capture URLs and the requests that they received." },
  { name: "Inboxes", description: "Durable work queues, each behind one public URL." },
  { name: "Messages", description: "HTTP requests that are sent later, signed and retried." },
  { name: "Claims", description: "How a public resource moves to an organization." },
  { name: "Credentials", description: "The key in use: what it may do, and its end." },
  { name: "Agent auth", description: "How an agent gets a credential by itself." },
  { name: "Discovery", description: "Documents that describe the service." },
  { name: "Operators", description: "For those who run the service, not for its users." },
];

/** The tag's name in a URL: `agent-auth`. */
export function slugOf(tag: string): string {
  return tag.toLowerCase().replaceAll(" ", "-");
}
