import type { Metadata } from "next";
import { address, one, type SearchParams } from "@/app/address";
import { found } from "@/app/found";
import { visitor } from "@/app/session";
import { BodyView } from "@/components/ui/body-view";
import { bytes } from "@/components/ui/bytes";
import { CodeBlock } from "@/components/ui/code-block";
import { Confirm } from "@/components/ui/confirm";
import { CopyButton } from "@/components/ui/copy";
import { curl } from "@/components/ui/curl";
import { Detail } from "@/components/ui/detail";
import { Fact, Facts } from "@/components/ui/facts";
import { Icon } from "@/components/ui/icon";
import { Pills } from "@/components/ui/pills";
import { Split } from "@/components/ui/split";
import { Time } from "@/components/ui/time";
import { MethodBadge } from "@/components/webhooks/method-badge";
import { ReplayForm } from "@/components/webhooks/replay-form";
import { config } from "@/lib/config";
import type { WebhookEvent } from "@/lib/webhooks/contract";
import * as events from "@/lib/webhooks/events";
import * as webhooks from "@/lib/webhooks/service";
import { deleteWebhookEvent, replayEvent } from "../../../actions";
import { EndpointView } from "../../endpoint-view";

interface Props {
  params: Promise<{ id: string; eventId: string }>;
  searchParams: Promise<SearchParams>;
}

export const metadata: Metadata = { title: "Captured request", robots: { index: false } };

const VIEWS = ["pretty", "raw", "hex"] as const;

export default async function WebhookEventPage({ params, searchParams }: Props) {
  const { id, eventId } = await params;
  const search = await searchParams;
  const { caller, account } = await visitor();
  const path = `/webhooks/${id}/events/${eventId}`;
  const [endpoint, event] = await found(address(path, { ...search }), () =>
    Promise.all([webhooks.get(caller, id), events.get(caller, id, eventId)]),
  );
  const canWrite = caller.kind === "anonymous" || caller.scopes.includes("api.write");
  const kept = {
    method: one(search, "method"),
    q: one(search, "q"),
    shown: one(search, "shown"),
  };
  const view = VIEWS.find((known) => known === one(search, "view")) ?? "pretty";
  return (
    <Split
      list={<EndpointView caller={caller} endpoint={endpoint} params={search} openId={eventId} />}
    >
      <Detail
        title={event.path}
        id={eventId}
        closeHref={address(`/webhooks/${id}`, kept)}
        state={
          <span className="flex items-center gap-2 text-small text-muted">
            <MethodBadge method={event.method} />
            <Time unix={event.received_at} />
          </span>
        }
        actions={<Actions event={event} canWrite={canWrite} />}
      >
        <div className="grid gap-5">
          {canWrite && account && (
            <ReplayForm
              endpointId={endpoint.id}
              eventId={eventId}
              formId={crypto.randomUUID()}
              action={replayEvent}
            />
          )}
          <div className="flex flex-wrap items-center justify-between gap-2">
            <Pills
              label="Body as"
              pills={VIEWS.map((name) => ({
                name,
                href: address(path, { ...kept, view: name === "pretty" ? undefined : name }),
                chosen: name === view,
              }))}
            />
            <span className="text-small text-muted">
              {bytes(event.size_bytes)}
              {event.body_truncated && ", of which the first part was kept"}
            </span>
          </div>
          <BodyView
            body={event.body}
            encoding={event.body_encoding}
            parsed={event.parsed_body}
            view={view}
          />
          <Facts>
            <Fact name="From">{event.source_ip ?? "unknown"}</Fact>
            {Object.entries(event.query_params).map(([name, value]) => (
              <Fact key={name} name={`?${name}`}>
                <span className="font-mono text-small">{value}</span>
              </Fact>
            ))}
          </Facts>
          <CodeBlock label="Headers">
            {Object.entries(event.headers)
              .map(([name, value]) => `${name}: ${value}`)
              .join("\n")}
          </CodeBlock>
        </div>
      </Detail>
    </Split>
  );
}

function Actions({ event, canWrite }: { event: WebhookEvent; canWrite: boolean }) {
  const { id, endpoint_id, organization_id } = event;
  const url = `${config().baseUrl}/api/webhooks/${endpoint_id}/events/${id}`;
  return (
    <>
      <a href={`/webhooks/${endpoint_id}/events/${id}/body`} className="button">
        <Icon name="download" />
        Download
      </a>
      <CopyButton text={curl(url, { key: organization_id !== null })}>Copy as curl</CopyButton>
      {canWrite && (
        <Confirm
          id={`delete-${id}`}
          label="Delete"
          title="Delete this event?"
          consequence="The captured request is gone. There is no way back."
          confirm="Delete event"
          action={deleteWebhookEvent}
          fields={{ id: endpoint_id, event: id }}
        />
      )}
    </>
  );
}
