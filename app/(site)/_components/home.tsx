"use client";

import type { ReactNode } from "react";
import { SiteFrame } from "@/components/site/frame";
import { CopyWords } from "./copy-command";
import { FirstCalls } from "./first-calls";
import { LiveEndpoint } from "./live-endpoint";

interface Props {
  baseUrl: string;
  version: string;
}

/** The home page. A client component: Next sends what the server renders twice, as HTML and as data. */
export function Home({ baseUrl, version }: Props) {
  return (
    <SiteFrame version={version}>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-14 gap-y-10 pt-10 pb-14 lg:grid-cols-[minmax(0,1fr)_30rem] lg:pt-14">
        <div className="max-w-[38rem]">
          <h1 className="text-hero font-semibold tracking-tight text-balance">
            What an AI agent needs, in one HTTP call
          </h1>
          <p className="mt-4 text-lead text-muted">
            Tasks, webhook capture, documents, delayed requests, queues and schedules, for any
            program that can send an HTTP request. No account is needed: anyone who knows the ID of
            a resource can use it until you claim it for your organization.
          </p>
          <PointYourAgent baseUrl={baseUrl} />
          <p className="mt-6 flex flex-wrap gap-2">
            <a href="/dashboard" className="button button-primary">
              Open the dashboard
            </a>
            <a href="/docs" className="button">
              Read the documentation
            </a>
          </p>
        </div>
        <LiveEndpoint host={baseUrl} />
      </div>

      <Chain />

      <Section id="calls" title="One call for each job" intro="They work without a key.">
        <FirstCalls baseUrl={baseUrl} />
      </Section>

      <Section id="rules" title="The same everywhere">
        <dl className="grid gap-x-12 [&_code]:font-mono [&_code]:text-small [&_code]:text-ink [&_code]:wrap-anywhere *:border-t *:border-line *:py-4 sm:grid-cols-2 lg:grid-cols-3">
          <Rule name="Without a key">
            What you create is public to anyone who knows its ID. IDs cannot be guessed, and no list
            shows them.
          </Rule>
          <Rule name="With a key">
            Send <code>Authorization: Bearer svc_live_…</code> and what you create is your
            organization’s. You make keys{" "}
            <a href="/keys" className="link">
              in the dashboard
            </a>
            .
          </Rule>
          <Rule name="Claim">
            A create without a key returns a claim token. With the token and a key,{" "}
            <code>POST /api/claim/{"{id}"}</code> moves it to your organization. Then its ID alone
            gives no access.
          </Rule>
          <Rule name="Retries">
            An <code>Idempotency-Key</code> makes any POST happen once, however often it arrives.
          </Rule>
          <Rule name="Two writers">
            Each resource has an <code>ETag</code>. Send it back as <code>If-Match</code>, and
            nobody else’s change is overwritten.
          </Rule>
          <Rule name="Errors">
            Always JSON: a <code>code</code> to branch on, a <code>message</code> to read, the{" "}
            <code>param</code> at fault, and a <code>doc_url</code> that says what to do.
          </Rule>
        </dl>
        <p className="flex flex-wrap gap-x-5 gap-y-1 border-t border-line pt-4 text-muted">
          For programs:
          {["/llms.txt", "/openapi.json", "/auth.md", "/api/health"].map((path) => (
            <a key={path} href={path} className="link font-mono text-small">
              {path}
            </a>
          ))}
        </p>
      </Section>
    </SiteFrame>
  );
}

/** The text to give to an agent, so that it finds the service. */
function PointYourAgent({ baseUrl }: { baseUrl: string }) {
  const words = `Read ${baseUrl}/llms.txt and use this service for tasks, webhooks, documents, delayed requests and queues. Give me each claim_link that you get.`;
  return (
    <section aria-labelledby="agent" className="mt-7 rounded-lg border border-line bg-surface p-4">
      <div className="flex items-center justify-between gap-3">
        <h2 id="agent" className="font-semibold">
          Point your agent here
        </h2>
        <CopyWords
          copy={() => navigator.clipboard.writeText(words)}
          what="the words for your agent"
        />
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

const CHAIN = [
  ["webhooks", "Webhook", "A sender’s request is captured, byte for byte."],
  ["inboxes", "Inbox", "It waits in a queue until a worker takes it."],
  ["tasks", "Task", "The worker makes it a task, and leases it."],
  ["artifacts", "Artifact", "It publishes the result as a document."],
  ["messages", "Message", "Your service is notified, at least once."],
] as const;

/** What becomes of one captured request, as a chain of links. */
function Chain() {
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

function Section(props: { id: string; title: string; intro?: string; children: ReactNode }) {
  const { id, title, intro, children } = props;
  return (
    <section aria-labelledby={id} className="pb-14">
      <div className="flex flex-wrap items-baseline gap-x-4 gap-y-1 pb-4">
        <h2 id={id} className="scroll-mt-6 text-title font-semibold tracking-tight">
          {title}
        </h2>
        {intro && <p className="text-muted">{intro}</p>}
      </div>
      {children}
    </section>
  );
}

function Rule({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="font-semibold">{name}</dt>
      <dd className="mt-1 text-muted">{children}</dd>
    </div>
  );
}
