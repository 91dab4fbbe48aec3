import Link from "next/link";
import { Time } from "@/components/ui/time";
import type { InboxEvent } from "@/lib/inboxes/event-contract";
import { EventState } from "./event-state";

const FIRST_LINE_MAX = 200;

interface Props {
  events: InboxEvent[];
  hrefOf(event: InboxEvent): string;
  openId: string | undefined;
}

/** The events of an inbox in their order, each by the first of its body. Looking takes none of them. */
export function EventTable({ events, hrefOf, openId }: Props) {
  return (
    <table className="list-table">
      <thead>
        <tr>
          <th scope="col">Event</th>
          <th scope="col">State</th>
          <th scope="col">Deliveries</th>
          <th scope="col">Came</th>
        </tr>
      </thead>
      <tbody>
        {events.map((event) => (
          <tr key={event.id} aria-current={event.id === openId ? "true" : undefined}>
            <td className="list-main">
              <Link
                href={hrefOf(event)}
                prefetch={false}
                scroll={false}
                data-row
                className="row-link block truncate font-mono text-small"
              >
                {event.body?.slice(0, FIRST_LINE_MAX) || "(empty)"}
              </Link>
            </td>
            <td>
              <EventState event={event} />
            </td>
            <td className="text-small text-muted tabular-nums">{event.delivery_count || ""}</td>
            <td className="text-small text-muted tabular-nums">
              <Time unix={event.received_at} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
