import { BufferedTable } from "@/components/ui/buffered-table";
import { CopyText } from "@/components/ui/copy";
import { NameCell } from "@/components/ui/name-cell";
import { State } from "@/components/ui/state";
import { Time } from "@/components/ui/time";
import type { Inbox } from "@/lib/resources/inboxes/contract";
import type { Depth } from "@/lib/resources/inboxes/depths";
import { DepthBar } from "./depth-bar";

/** One inbox per row; cards at 640 px and below. */
export function InboxTable({ inboxes, depths }: { inboxes: Inbox[]; depths: Map<string, Depth> }) {
  return (
    <BufferedTable
      head={
        <tr>
          <th scope="col">Inbox</th>
          <th scope="col">Waiting</th>
          <th scope="col">Oldest ready</th>
          <th scope="col">Dead</th>
          <th scope="col">ID</th>
        </tr>
      }
      rows={inboxes.map(({ id, name, description, max_events }) => {
        const { pending = 0, dead = 0, ready_since = null } = depths.get(id) ?? {};
        const row = (
          <tr key={id}>
            <td className="list-main">
              <NameCell href={`/inboxes/${id}`} name={name} description={description} />
            </td>
            <td>
              <DepthBar pending={pending} max={max_events} />
            </td>
            <td data-label="Oldest ready" className="text-small text-muted tabular-nums">
              {ready_since !== null && <Time unix={ready_since} />}
            </td>
            <td>
              {dead > 0 && <State word={`${dead.toLocaleString("en")} dead`} tone="failed" />}
            </td>
            <td className="max-sm:hidden">
              <CopyText text={id} shown={`…${id.slice(-6)}`} />
            </td>
          </tr>
        );
        return { id, row };
      })}
    />
  );
}
