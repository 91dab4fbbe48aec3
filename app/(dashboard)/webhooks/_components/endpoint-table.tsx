import { BufferedTable } from "@/components/ui/buffered-table";
import { CopyText } from "@/components/ui/copy";
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

/** One endpoint per row; cards at 640 px and below. */
export function EndpointTable({ endpoints, lastEvents }: Props) {
  return (
    <BufferedTable
      head={
        <tr>
          <th scope="col">Endpoint</th>
          <th scope="col">Last request</th>
          <th scope="col">Events</th>
          <th scope="col">Created</th>
          <th scope="col">Capture URL</th>
        </tr>
      }
      rows={endpoints.map(({ id, name, description, max_events, created_at, url }) => ({
        id,
        row: (
          <tr key={id}>
            <td className="list-main">
              <NameCell href={`/webhooks/${id}`} name={name} description={description} />
            </td>
            <td className="text-small text-muted tabular-nums">
              <LastRequest last={lastEvents.get(id)?.last ?? null} />
            </td>
            <td className="text-small text-muted tabular-nums">
              {(lastEvents.get(id)?.event_count ?? 0).toLocaleString("en")} of{" "}
              {max_events.toLocaleString("en")}
              <span className="sm:hidden"> events</span>
            </td>
            <td className="text-small text-muted tabular-nums max-sm:hidden">
              <Time unix={created_at} />
            </td>
            <td className="max-sm:hidden">
              <CopyText text={url} shown={`/api/catch/…${id.slice(-6)}`} />
            </td>
          </tr>
        ),
      }))}
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
