import { kinds } from "@/lib/resources/kinds";

/** A page of /docs written as a Markdown file in the repository. */
interface DocumentPage {
  /** Its path below /docs. */
  slug: string;
  /** The file's path in the repository. */
  file: string;
  /** Its name in lists. */
  title: string;
  /** A sentence about its subject, for lists. */
  about: string;
}

export interface DocumentGroup {
  title: string;
  pages: readonly DocumentPage[];
}

/** The documents with a page, in the order of the sidebar and of "next page". */
export const documentGroups: readonly DocumentGroup[] = [
  {
    title: "Start",
    pages: [
      page("tour", "Tour", "Every operation once, with curl."),
      page("concepts", "Concepts", "What public, claim, lease and at least once mean."),
      page("api", "Conventions", "Requests, errors, lists, ETags and idempotency."),
      page(
        "accounts",
        "Accounts and keys",
        "Public resources, claims, organizations and API keys.",
      ),
      page("limits", "Limits", "Every limit in one table, and how they are counted."),
      page("versioning", "Versions", "What may change, and how something is deprecated."),
      page("troubleshooting", "Troubleshooting", "What to do about what you see."),
    ],
  },
  {
    title: "Guides",
    pages: [
      page(
        "guides/catch-a-webhook",
        "Catch a webhook on your laptop",
        "Forward deliveries to localhost.",
      ),
      page(
        "guides/hand-over-a-report",
        "Hand over a report",
        "Publish a document and share a link.",
      ),
      page(
        "guides/call-me-back",
        "Call me back later",
        "Send a request at a time, or after a delay.",
      ),
      page(
        "guides/run-a-queue",
        "Run a queue with three agents",
        "Leases, retries and dead letters.",
      ),
      page(
        "guides/from-webhook-to-report",
        "From a webhook to a report",
        "Verify, forward, work, and hand over with one link.",
      ),
      page(
        "guides/share-a-task-list",
        "Share a task list",
        "Several workers, one list, no collisions.",
      ),
      page(
        "guides/agent-key",
        "Give an agent its own key",
        "Registration, claim, scopes and revocation.",
      ),
      page(
        "guides/verify-signature",
        "Verify our signature",
        "Check that a request comes from the service.",
      ),
      page("guides/production", "Run it in production", "What to set, watch and back up."),
    ],
  },
  {
    title: "Resources",
    pages: [
      ...kinds.map(({ name, title, description }) => page(name, title, description)),
      page("changes", "Changes", "What happened to your resources, as a feed and pushed."),
      page("events", "Events", "MCP Events: what wakes an agent's client."),
    ],
  },
  {
    title: "Connect",
    pages: [
      page("mcp", "MCP", "Connect Claude, ChatGPT, Cursor or VS Code, and the tools they get."),
      page("client", "TypeScript client", "Types, retries, pages, workers and streams."),
      page("cli", "Command line", "Forward webhooks, publish, send, and work through queues."),
      page("oauth", "Sign-in with OAuth", "How a program signs a person in, and how to end it."),
      page("agent-auth", "Agent auth", "How an agent gets a key of its own."),
      page("agent-auth-transcript", "Agent auth: a transcript", "Every request of a registration."),
    ],
  },
  {
    title: "Operate",
    pages: [
      page("deployment", "Deployment", "One machine or several, behind a proxy."),
      page("vercel", "Vercel", "Numbered steps, with a database and the limits of the plans."),
      page("configuration", "Configuration", "Every environment variable with its default."),
      page("database", "Database", "Where the data is, and what Prisma does."),
      page("operations", "Operations", "Logs, health, backups and revocation."),
      page("scaling", "Scaling", "Where the limits are, and what to do about each."),
    ],
  },
  {
    title: "Project",
    pages: [
      page(
        "security",
        "Security",
        "What the service promises, and how to report a problem.",
        "SECURITY.md",
      ),
      page("changelog", "Changelog", "What changed between versions.", "CHANGELOG.md"),
    ],
  },
];

export const documentPages = documentGroups.flatMap(({ pages }) => pages);

/** Documents without a page, since only contributors need them. CONTRIBUTING.md links to them. */
export const contributorFiles: readonly string[] = [
  "docs/architecture.md",
  "docs/benchmarks.md",
  "docs/decisions.md",
  "docs/design.md",
  "docs/proof.md",
  "docs/soak.md",
];

function page(slug: string, title: string, about: string, file = `docs/${slug}.md`): DocumentPage {
  return { slug, title, about, file };
}
