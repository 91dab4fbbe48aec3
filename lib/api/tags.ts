import { kinds } from "@/lib/resources/kinds";

/** The parts of the API, in the order of the documents. */
export const tags = [
  ...kinds.map(({ title, description }) => ({ name: title, description })),
  { name: "Batch", description: "Many creates and deletes in one request." },
  { name: "Changes", description: "What happened to an organization's resources." },
  { name: "Claims", description: "How a public resource moves to an organization." },
  { name: "Credentials", description: "The current key: its scopes, rotation and revocation." },
  { name: "Agent auth", description: "How an agent gets its own credential." },
  { name: "OAuth", description: "How a client signs in for a person." },
  { name: "Discovery", description: "Documents that describe the service." },
  { name: "Operators", description: "For operators of the service, not for its users." },
];

/** The tag's name in a URL: `agent-auth`. */
export function slugOf(tag: string): string {
  return tag.toLowerCase().replaceAll(" ", "-");
}
