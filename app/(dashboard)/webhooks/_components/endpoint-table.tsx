import { CopyText } from "@/components/ui/copy";
import { ListTable, timeColumn } from "@/components/ui/list-table";
import { Method } from "@/components/ui/method";
import { NameCell } from "@/components/ui/name-cell";
import { Time } from "@/components/ui/time";
import type { WebhookEndpoint } from "@/lib/resources/webhooks/contract";
import type { LastEvent } from "@/lib/resources/webhooks/events/last-events";

interface Props {
  endpoints: WebhookEndpoint[];
  /** Keyed by the endpoint's ID. */
  lastEvents: Map<string, LastEvent>;
}

export function EndpointTable({ endpoints, lastEvents }: Props) {
  return (
    <ListTable
      columns={[
        {
          name: "Endpoint",
          look: "list-main",
          cell: (endpoint) => <NameCell {...endpoint} href={`/webhooks/${endpoint.id}`} />,
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
        timeColumn("Created", "created_at", "max-sm:hidden"),
        {
          name: "Capture URL",
          look: "",
          hidden: "max-sm:hidden",
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
