import { idColumn, ListTable, NEWEST_FIRST, timeColumn } from "@/components/ui/list-table";
import { NameCell } from "@/components/ui/name-cell";
import { State } from "@/components/ui/state";
import { Time } from "@/components/ui/time";
import type { Inbox } from "@/lib/resources/inboxes/contract";
import type { Depth } from "@/lib/resources/inboxes/depths";
import { DepthBar } from "./depth-bar";

export function InboxTable({ inboxes, depths }: { inboxes: Inbox[]; depths: Map<string, Depth> }) {
  return (
    <ListTable
      columns={[
        {
          name: "Inbox",
          look: "list-main",
          cell: (inbox) => <NameCell {...inbox} href={`/inboxes/${inbox.id}`} />,
        },
        {
          name: "Waiting",
          look: "",
          cell: ({ pending = 0, max_events }) => <DepthBar pending={pending} max={max_events} />,
        },
        {
          name: "Oldest ready",
          isLabelled: () => true,
          cell: ({ ready_since = null }) => ready_since !== null && <Time unix={ready_since} />,
        },
        {
          name: "Dead",
          look: "",
          cell: ({ dead = 0 }) =>
            dead > 0 && <State word={`${dead.toLocaleString("en")} dead`} tone="failed" />,
        },
        timeColumn("Created", "created_at", "max-sm:hidden", NEWEST_FIRST),
        idColumn("max-lg:hidden"),
      ]}
      rows={inboxes.map((inbox) => ({ ...inbox, ...depths.get(inbox.id) }))}
    />
  );
}
