import type { Operation } from "@/lib/platform/http/operation";
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

/** The beginnings of the paths of each part. The first that fits decides. */
const paths = Object.entries({
  "/api/messages/dispatch": "Operators",
  ...Object.fromEntries(kinds.map(({ name, title }) => [`/api/${name}`, title])),
  "/api/catch": "Webhooks",
  "/api/signing-secret": "Messages",
  "/a/": "Artifacts",
  "/api/batch": "Batch",
  "/api/changes": "Changes",
  "/api/subscriptions": "Changes",
  "/api/claim": "Claims",
  "/api/me": "Credentials",
  "/api/agent/": "Agent auth",
  "/oauth/": "OAuth",
  "/livez": "Operators",
  "/readyz": "Operators",
  "/metrics": "Operators",
  "/": "Discovery",
});

/** The name of the part that an operation belongs to. */
export function tagOf({ path }: Operation): string {
  return paths.find(([beginning]) => path.startsWith(beginning))?.[1] ?? "";
}

/** The tag's name in a URL: `agent-auth`. */
export function slugOf(tag: string): string {
  return tag.toLowerCase().replaceAll(" ", "-");
}
