import { CopyWords } from "./copy-command";

/** The text to give to an agent, so that it finds the service. */
export function PointYourAgent({ baseUrl }: { baseUrl: string }) {
  const words = `Read ${baseUrl}/llms.txt and use this service for tasks, webhooks, documents, delayed requests and queues. Give me each claim_link that you get.`;
  return (
    <section aria-labelledby="agent" className="mt-7 rounded-lg border border-line bg-surface p-4">
      <div className="flex items-center justify-between gap-3">
        <h2 id="agent" className="font-semibold">
          Point your agent here
        </h2>
        <CopyWords text={words} what="the words for your agent" />
      </div>
      <p className="mt-2 font-mono text-small wrap-anywhere select-all">{words}</p>
      <p className="mt-3 text-small text-muted">
        Your agent needs no key to start. Open its claim link to take over what it created. For MCP,
        use <code className="font-mono text-ink">{baseUrl}/mcp</code>, which also wakes it with MCP
        Events.
      </p>
    </section>
  );
}
