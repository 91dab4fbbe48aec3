const CHAIN = [
  ["webhooks", "Webhook", "A sender’s request is captured, byte for byte."],
  ["inboxes", "Inbox", "It waits in a queue until a worker takes it."],
  ["tasks", "Task", "The worker makes it a task, and leases it."],
  ["artifacts", "Artifact", "It publishes the result as a document."],
  ["messages", "Message", "Your service hears of it, at least once."],
] as const;

/** What becomes of one captured request, as a chain of links. */
export function Chain() {
  return (
    <ol className="mb-14 grid overflow-hidden rounded-lg border border-line *:border-line *:p-4 max-md:*:not-first:border-t md:grid-cols-5 md:*:not-first:border-l">
      {CHAIN.map(([name, title, words], place) => (
        <li key={name}>
          <a href={`/docs/${name}`} className="font-semibold hover:underline">
            {place > 0 && <span className="text-muted">→ </span>}
            {title}
          </a>
          <p className="mt-1 text-small text-muted">{words}</p>
        </li>
      ))}
    </ol>
  );
}
