import { bodyPreview } from "@/components/bodies/body-preview";
import { bytes } from "@/components/ui/bytes";
import { ListTable, timeColumn } from "@/components/ui/list-table";
import { RowLink } from "@/components/ui/row-link";
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
    <ListTable
      columns={[
        {
          name: "Event",
          look: "list-main",
          cell: (event) => (
            <RowLink
              href={hrefOf(event)}
              keepScroll
              className="block truncate font-mono text-small"
            >
              {event.body === null
                ? "No body"
                : bodyPreview(event.body_encoding === "utf8" ? event.body : null)}
            </RowLink>
          ),
        },
        { name: "State", look: "", cell: ({ state }) => <InboxEventState state={state} /> },
        {
          name: "Deliveries",
          cell: ({ delivery_count }) => delivery_count > 0 && `${delivery_count} ×`,
        },
        { name: "Size", cell: ({ size_bytes }) => bytes(size_bytes) },
        timeColumn("Received", "received_at"),
      ]}
      rows={events}
      openId={openId}
    />
  );
}
