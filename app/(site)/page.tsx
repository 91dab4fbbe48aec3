import type { ReactNode } from "react";
import { SiteFrame } from "@/components/site/frame";
import { config } from "@/lib/config/config";
import { FirstCalls } from "./_components/first-calls";
import { OperationList } from "./_components/operation-list";

// The base URL is configured at run time.
export const dynamic = "force-dynamic";

export default function Home() {
  const { baseUrl } = config();
  return (
    <SiteFrame>
      <div className="grid gap-x-12 gap-y-8 pt-12 pb-14 lg:grid-cols-[minmax(0,1fr)_24rem] lg:pt-16">
        <div className="max-w-[38rem]">
          <h1 className="text-display font-semibold tracking-tight text-balance">
            What an AI agent needs, in one HTTP call
          </h1>
          <p className="mt-4 text-lead text-muted">
            Tasks, webhook capture, documents, delayed requests and inboxes, for any program that
            can send an HTTP request. No account is needed to start: anyone who knows the ID of a
            resource can use it. With an API key it belongs to your organization, and only its
            members and keys have access.
          </p>
        </div>
        <dl className="grid content-start self-end text-small">
          <Address name="Base URL">
            <span className="select-all">{baseUrl}</span>
          </Address>
          <Address name="Documentation">
            <a href="/docs" className="link">
              /docs
            </a>
          </Address>
          <Address name="For agents">
            <a href="/llms.txt" className="link">
              /llms.txt
            </a>
          </Address>
          <Address name="Interface">
            <a href="/openapi.json" className="link">
              /openapi.json
            </a>
          </Address>
          <Address name="Health">
            <a href="/api/health" className="link">
              /api/health
            </a>
          </Address>
          <Address name="Credentials">
            <a href="/auth.md" className="link">
              /auth.md
            </a>
          </Address>
        </dl>
      </div>

      <Section
        id="calls"
        title="Five jobs, one call each"
        intro="They work unchanged. Click a command to select it, or a title to read on."
      >
        <FirstCalls baseUrl={baseUrl} />
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
            <Code>POST /api/claim/{"{id}"}</Code> moves it to your organization. From then on the ID
            alone opens nothing.
          </Rule>
          <Rule name="Retries">
            An <Code>Idempotency-Key</Code> makes any POST happen once in 24 hours. The same key
            with another body is refused.
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
      </Section>

      <Section
        id="operations"
        title="Operations"
        intro="Every operation with its fields, errors and examples."
      >
        <OperationList />
      </Section>
    </SiteFrame>
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

function Address({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[6.5rem_minmax(0,1fr)] gap-3 border-t border-line py-2 last:border-b">
      <dt className="text-muted">{name}</dt>
      <dd className="font-mono wrap-anywhere">{children}</dd>
    </div>
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
