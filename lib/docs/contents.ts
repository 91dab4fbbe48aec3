import { kinds } from "@/lib/resources/kinds";

/** A page of /docs written as a Markdown file in the repository, whose heading is its title. */
interface DocumentPage {
  /** Its path below /docs. */
  slug: string;
  /** The file's path in the repository. */
  file: string;
  /** A sentence about its subject, for lists. */
  about: string;
}

interface DocumentGroup {
  title: string;
  pages: readonly DocumentPage[];
}

/** The documents with a page, in the order of the sidebar and of "next page". */
export const documentGroups: readonly DocumentGroup[] = [
  {
    title: "Start",
    pages: [
      page("tour", "Every operation once, with curl."),
      page("concepts", "What public, claim, lease and at least once mean."),
      page("api", "Requests, errors, lists, ETags and idempotency."),
      page("accounts", "Public resources, claims, organizations and API keys."),
      page("limits", "The limits in one table, and how they are counted."),
      page("versioning", "What may change, and how something is deprecated."),
      page("troubleshooting", "What to do about what you see."),
    ],
  },
  {
    title: "Guides",
    pages: [
      page("guides/catch-a-webhook", "Forward deliveries to localhost."),
      page("guides/hand-over-a-report", "Publish a document and share a link."),
      page("guides/call-me-back", "Send a request at a time, or after a delay."),
      page("guides/run-a-queue", "Leases, retries and dead letters."),
      page("guides/from-webhook-to-report", "Verify, forward, work, and hand over with one link."),
      page("guides/share-a-task-list", "Several workers, one list, no collisions."),
      page("guides/agent-key", "Registration, claim, scopes and revocation."),
      page("guides/verify-signature", "Check that a request comes from the service."),
      page("guides/production", "What to set, watch and back up."),
    ],
  },
  {
    title: "Resources",
    pages: [
      ...kinds.map(({ name, description }) => page(name, description)),
      page("changes", "What happened to your resources, as a feed and pushed."),
      page("events", "MCP Events: what wakes an agent's client."),
    ],
  },
  {
    title: "Connect",
    pages: [
      page("mcp", "Connect Claude, ChatGPT, Cursor or VS Code, and the tools they get."),
      page("client", "Types, retries, pages, workers and streams."),
      page("cli", "Forward webhooks, publish, send, and work through queues."),
      page("oauth", "How a program signs a person in, and how to end it."),
      page("agent-auth", "How an agent gets a key of its own."),
    ],
  },
  {
    title: "Operate",
    pages: [
      page("deployment", "One machine or several, behind a proxy."),
      page("vercel", "Numbered steps, with a database and the limits of the plans."),
      page("configuration", "Every environment variable with its default."),
      page("database", "Where the data is, and what Prisma does."),
      page("operations", "Logs, health, backups and revocation."),
      page("scaling", "Where the limits are, and what to do about each."),
    ],
  },
  {
    title: "Project",
    pages: [
      page("security", "What the service promises, and how to report a problem.", "SECURITY.md"),
      page("changelog", "What changed between versions.", "CHANGELOG.md"),
    ],
  },
];

export const documentPages = documentGroups.flatMap(({ pages }) => pages);

function page(slug: string, about: string, file = `docs/${slug}.md`): DocumentPage {
  return { slug, about, file };
}
