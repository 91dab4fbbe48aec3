import { bytes } from "@/components/ui/bytes";
import { ListTable, OLDEST_FIRST, timeColumn } from "@/components/ui/list-table";
import { RowLink } from "@/components/ui/row-link";
import { bodyPreview, PREVIEW_BYTES } from "@/lib/platform/bodies/preview";
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
              {previewOf(event)}
            </RowLink>
          ),
        },
        { name: "State", look: "", cell: ({ state }) => <InboxEventState state={state} /> },
        {
          name: "Deliveries",
          hidden: "sm:max-xl:hidden",
          cell: ({ delivery_count }) => delivery_count > 0 && `${delivery_count} ×`,
        },
        { name: "Size", hidden: "sm:max-xl:hidden", cell: ({ size_bytes }) => bytes(size_bytes) },
        timeColumn("Received", "received_at", undefined, OLDEST_FIRST),
      ]}
      rows={events}
      openId={openId}
    />
  );
}

function previewOf({ body, body_encoding }: InboxEvent): string {
  if (body === null) return "No body";
  // Twice the bytes are enough characters in base64 too, which needs four for three bytes.
  const start = Buffer.from(body.slice(0, 2 * PREVIEW_BYTES), body_encoding ?? "utf8");
  return bodyPreview(start.subarray(0, PREVIEW_BYTES));
}
