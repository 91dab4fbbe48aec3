import Link from "next/link";
import { CopyText } from "@/components/ui/copy";
import { Time } from "@/components/ui/time";
import type { Inbox } from "@/lib/inboxes/contract";
import { Depth } from "./depth";

/** Inboxes, one a row, with how full each is. */
export function InboxTable({ inboxes }: { inboxes: (Inbox & { pending: number })[] }) {
  return (
    <table className="list-table">
      <thead>
        <tr>
          <th scope="col">Inbox</th>
          <th scope="col">Waiting</th>
          <th scope="col">Updated</th>
          <th scope="col">ID</th>
        </tr>
      </thead>
      <tbody>
        {inboxes.map((inbox) => (
          <tr key={inbox.id}>
            <td className="list-main">
              <span className="flex min-w-0 items-baseline gap-2">
                <Link
                  href={`/inboxes/${inbox.id}`}
                  prefetch={false}
                  data-row
                  className="row-link min-w-0 truncate font-medium"
                >
                  {inbox.name}
                </Link>
                <span className="truncate text-small text-muted">{inbox.description}</span>
              </span>
            </td>
            <td>
              <Depth pending={inbox.pending} limit={inbox.max_events} />
            </td>
            <td className="text-small text-muted tabular-nums">
              <Time unix={inbox.updated_at} />
            </td>
            <td className="max-sm:hidden">
              <CopyText text={inbox.id} shown={`…${inbox.id.slice(-6)}`} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
