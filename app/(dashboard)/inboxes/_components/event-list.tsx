import { bodyPreview } from "@/components/bodies/body-preview";
import { BufferedTable } from "@/components/ui/buffered-table";
import { bytes } from "@/components/ui/bytes";
import { RowLink } from "@/components/ui/row-link";
import { Time } from "@/components/ui/time";
import type { InboxEvent } from "@/lib/resources/inboxes/events/contract";
import { InboxEventState } from "./event-state";

interface Props {
  events: InboxEvent[];
  openId: string | undefined;
  hrefOf(event: InboxEvent): string;
}

/** The events of an inbox, oldest first. Viewing an event does not receive it. */
export function EventList({ events, openId, hrefOf }: Props) {
  return (
    <BufferedTable
      head={
        <tr>
          <th scope="col">Event</th>
          <th scope="col">State</th>
          <th scope="col">Deliveries</th>
          <th scope="col">Size</th>
          <th scope="col">Received</th>
        </tr>
      }
      rows={events.map((event) => ({
        id: event.id,
        row: (
          <tr key={event.id} aria-current={event.id === openId ? "true" : undefined}>
            <td className="list-main">
              <RowLink
                href={hrefOf(event)}
                keepScroll
                className="block truncate font-mono text-small"
              >
                {event.body === null
                  ? "No body"
                  : bodyPreview(event.body_encoding === "utf8" ? event.body : null)}
              </RowLink>
            </td>
            <td>
              <InboxEventState state={event.state} />
            </td>
            <td className="text-small text-muted tabular-nums">
              {event.delivery_count > 0 && `${event.delivery_count} ×`}
            </td>
            <td className="text-small text-muted tabular-nums">{bytes(event.size_bytes)}</td>
            <td data-label="Received" className="text-small text-muted tabular-nums">
              <Time unix={event.received_at} />
            </td>
          </tr>
        ),
      }))}
    />
  );
}
