/** A page of /docs that is written as a Markdown file of the repository. */
interface DocumentPage {
  /** Its path below /docs. */
  slug: string;
  /** Relative to the repository. */
  file: string;
  /** Its name in lists. */
  title: string;
  /** What it answers, in a sentence. */
  about: string;
}

export interface DocumentGroup {
  title: string;
  pages: readonly DocumentPage[];
}

/** Every document, in the order of the sidebar and of "next page". */
export const documentGroups: readonly DocumentGroup[] = [
  {
    title: "Start",
    pages: [
      page("tour", "Tour", "Every operation once, with curl."),
      page("api", "Conventions", "Requests, errors, lists, ETags, idempotency and limits."),
      page(
        "accounts",
        "Accounts and keys",
        "Public resources, claims, organizations and API keys.",
      ),
    ],
  },
  {
    title: "Guides",
    pages: [
      guide("catch-a-webhook", "Catch a webhook", "On your laptop, as it arrives."),
      guide("hand-over-a-report", "Hand over a report", "A document that a person can read."),
      guide("call-me-back", "Call me back later", "A request at the right time."),
      guide("run-a-queue", "Run a queue", "Work for three agents, and none of it lost."),
      guide("share-a-task-list", "Share a task list", "Agents and people work on one list."),
      guide("agent-key", "Give an agent its own key", "Make one, or let the agent ask for one."),
      guide("verify-signature", "Verify our signature", "In TypeScript, Node and Python."),
      guide("production", "Run it in production", "The short way to a server for others."),
    ],
  },
  {
    title: "Resources",
    pages: [
      page("tasks", "Tasks", "Priorities, due dates, labels, and leases for workers."),
      page("webhooks", "Webhooks", "URLs that capture every request, byte for byte."),
      page("artifacts", "Artifacts", "Markdown and HTML documents with share links."),
      page("messages", "Messages", "HTTP requests that are sent later, signed and with retries."),
      page("inboxes", "Inboxes", "Durable work queues behind one URL."),
    ],
  },
  {
    title: "Connect",
    pages: [
      page("agent-auth", "Agent auth", "How an agent gets a key of its own."),
      page("agent-auth-transcript", "Agent auth: a transcript", "Every request of a registration."),
    ],
  },
  {
    title: "Operate",
    pages: [
      page("deployment", "Deployment", "One machine behind a proxy, or Vercel."),
      page("configuration", "Configuration", "Every environment variable with its default."),
      page("operations", "Operations", "Logs, health, backups and revocation."),
    ],
  },
  {
    title: "Contribute",
    pages: [
      page("architecture", "Architecture", "Where things are in the code, and why."),
      page("benchmarks", "Benchmarks", "How fast it is, and how to measure it."),
      page(
        "contributing",
        "Contributing",
        "Rules, tests and the steps for a new resource.",
        "CONTRIBUTING.md",
      ),
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

function page(slug: string, title: string, about: string, file = `docs/${slug}.md`): DocumentPage {
  return { slug, title, about, file };
}

function guide(name: string, title: string, about: string): DocumentPage {
  return page(`guides/${name}`, title, about);
}
