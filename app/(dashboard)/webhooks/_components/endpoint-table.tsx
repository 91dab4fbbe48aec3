import { CopyText } from "@/components/ui/copy";
import { CountLine } from "@/components/ui/count-line";
import { ListTable, NEWEST_FIRST, timeColumn } from "@/components/ui/list-table";
import { Method } from "@/components/ui/method";
import { NameCell } from "@/components/ui/name-cell";
import { State } from "@/components/ui/state";
import { Time } from "@/components/ui/time";
import { counted } from "@/lib/platform/counted";
import type { WebhookEndpoint } from "@/lib/resources/webhooks/contract";
import type { LastEvent } from "@/lib/resources/webhooks/events/last-events";

interface Props {
  endpoints: WebhookEndpoint[];
  /** Keyed by the endpoint's ID. */
  lastEvents: Map<string, LastEvent>;
  /** The names of inboxes to which they forward, by ID. */
  inboxes: Map<string, string>;
}

export function EndpointTable({ endpoints, lastEvents, inboxes }: Props) {
  return (
    <ListTable
      columns={[
        {
          name: "Endpoint",
          look: "list-main",
          cell: (endpoint) => <NameCell {...endpoint} href={`/webhooks/${endpoint.id}`} />,
        },
        {
          name: "Forward",
          hidden: "max-lg:hidden",
          look: "max-w-48 truncate text-small text-muted",
          cell: ({ id }) => <Forward event={lastEvents.get(id)} inboxes={inboxes} />,
        },
        {
          name: "Signature",
          hidden: "max-lg:hidden",
          cell: ({ id }) => <Signature event={lastEvents.get(id)} />,
        },
        {
          name: "24 hours",
          look: "",
          hidden: "max-xl:hidden",
          cell: ({ id }) => (
            <CountLine counts={lastEvents.get(id)?.hours ?? []} span="24 hours" each="an hour" />
          ),
        },
        {
          name: "Last request",
          cell: ({ id }) => <LastRequest last={lastEvents.get(id)?.last ?? null} />,
        },
        {
          name: "Events",
          cell: ({ id, max_events }) => (
            <>
              {(lastEvents.get(id)?.event_count ?? 0).toLocaleString("en")} of{" "}
              {max_events.toLocaleString("en")}
              <span className="sm:hidden"> events</span>
            </>
          ),
        },
        timeColumn("Created", "created_at", "max-sm:hidden", NEWEST_FIRST),
        {
          name: "Capture URL",
          look: "",
          hidden: "max-xl:hidden",
          cell: ({ id, url }) => <CopyText text={url} shown={`/api/catch/…${id.slice(-6)}`} />,
        },
      ]}
      rows={endpoints}
    />
  );
}

function LastRequest({ last }: { last: LastEvent["last"] }) {
  if (last === null) return "none yet";
  return (
    <span className="flex items-center gap-2">
      <Method method={last.method} />
      <Time unix={last.received_at} />
    </span>
  );
}

/** Where events go: the name of an inbox, or the host of a URL; and whether they arrive there. */
function Forward(props: { event: LastEvent | undefined; inboxes: Map<string, string> }) {
  const { forward: to = null, failedAttempts = 0 } = props.event ?? {};
  if (to === null) return null;
  return (
    <>
      → {props.inboxes.get(to) ?? (URL.canParse(to) ? new URL(to).host : "inbox")}
      {failedAttempts > 0 && (
        <span className="block">
          <State word={counted(failedAttempts, "failed attempt")} tone="failed" />
        </span>
      )}
    </>
  );
}

function Signature({ event }: { event: LastEvent | undefined }) {
  if (!event?.isVerified) return null;
  if (event.failedChecks === 0) return <State word="checked" tone="quiet" />;
  return <State word={counted(event.failedChecks, "failed check")} tone="failed" />;
}
