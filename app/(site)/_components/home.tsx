"use client";

import type { ReactNode } from "react";
import { FirstCalls } from "./first-calls";
import { LiveEndpoint } from "./live-endpoint";
import { PointYourAgent } from "./point-your-agent";

interface Props {
  baseUrl: string;
  /** The response to the first call for tasks. */
  created: object;
}

/** The home page. A client component: Next sends what the server renders twice, as HTML and as data. */
export function Home({ baseUrl, created }: Props) {
  return (
    <>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-14 gap-y-10 pt-10 pb-14 lg:grid-cols-[minmax(0,1fr)_30rem] lg:pt-14">
        <div className="max-w-[38rem]">
          <h1 className="text-hero font-semibold tracking-tight text-balance">
            What an AI agent needs, in one HTTP call
          </h1>
          <p className="mt-4 text-lead text-muted">
            Tasks, webhook capture, documents, delayed requests, queues and schedules, for any
            program that can send an HTTP request. No account is needed to start: anyone who knows
            the ID of a resource can use it, until you claim it for your organization.
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

      <Section
        id="calls"
        title="One call for each job"
        intro="They work unchanged, without a key. Each title links to its documentation."
      >
        <FirstCalls baseUrl={baseUrl} created={created} />
      </Section>

      <Section id="rules" title="The same everywhere">
        <dl className="grid gap-x-12 sm:grid-cols-2 lg:grid-cols-3">
          <Rule name="Without a key">
            What you create is public to anyone who knows its ID. IDs cannot be guessed, and no list
            shows them.
          </Rule>
          <Rule name="With a key">
            Send <Code>Authorization: Bearer svc_live_…</Code> and what you create is your
            organization’s. Lists show it, newest first. You make keys{" "}
            <a href="/keys" className="link">
              in the dashboard
            </a>
            .
          </Rule>
          <Rule name="Claim">
            A create without a key returns a claim token. With the token and a key,{" "}
            <Code>POST /api/claim/{"{id}"}</Code> moves it to your organization. From then on, the
            ID alone no longer gives access.
          </Rule>
          <Rule name="Retries">
            An <Code>Idempotency-Key</Code> makes any POST happen once, however often it arrives.
            The same key with another body is refused.
          </Rule>
          <Rule name="Two writers">
            Each resource has an <Code>ETag</Code>. Send it back as <Code>If-Match</Code>, and
            nobody else’s change is overwritten.
          </Rule>
          <Rule name="Errors">
            Always JSON: a <Code>code</Code> to branch on, a <Code>message</Code> to read, the{" "}
            <Code>param</Code> at fault, and a <Code>doc_url</Code> that says what to do.
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
    </>
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
    <div className="border-t border-line py-4">
      <dt className="font-semibold">{name}</dt>
      <dd className="mt-1 text-muted">{children}</dd>
    </div>
  );
}

function Code({ children }: { children: ReactNode }) {
  return <code className="font-mono text-small wrap-anywhere text-ink">{children}</code>;
}
