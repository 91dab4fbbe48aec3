import type { ReactNode } from "react";
import { RowLink } from "@/components/ui/row-link";
import { State, type Tone } from "@/components/ui/state";
import { Time } from "@/components/ui/time";
import type { Overview } from "@/lib/resources/overview/service";

type Props = Pick<Overview, "dispatch" | "failed" | "inboxes">;

/** Problems that need a person. */
export function NeedsAttention({ dispatch, failed, inboxes: { troubled } }: Props) {
  const { isLate, last, unclaimedAgents } = dispatch;
  const isCalm = failed.length + troubled.length + unclaimedAgents === 0 && !isLate;
  return (
    <ul>
      {isCalm && (
        <li className="px-4 py-4 text-muted sm:px-6">
          <State word="Nothing needs attention" tone="ok" />
        </li>
      )}
      {isLate && (
        <Item tone="failed" word="Dispatch" href="/messages?status=scheduled">
          Messages are due, and the dispatcher {last === null ? "has never run" : "last ran "}
          {last !== null && <Time unix={last} />}
        </Item>
      )}
      {failed.map(({ id, url, last_error }) => (
        <Item key={id} tone="failed" word="Message failed" href={`/messages/${id}`}>
          {url} {last_error && <span className="text-muted">{last_error}</span>}
        </Item>
      ))}
      {troubled.map(({ id, name, dead, pending, max_events }) => (
        <Item
          key={id}
          tone={dead > 0 ? "failed" : "waiting"}
          word={dead > 0 ? "Dead events" : "Nearly full"}
          href={`/inboxes/${id}`}
        >
          {name}{" "}
          <span className="text-muted">
            {dead > 0 ? `${dead} dead, ` : ""}
            {pending.toLocaleString("en")} of {max_events.toLocaleString("en")} waiting
          </span>
        </Item>
      ))}
      {unclaimedAgents > 0 && (
        <Item tone="waiting" word="Agents" href="/keys#agents">
          {unclaimedAgents} registered, not yet claimed
        </Item>
      )}
    </ul>
  );
}

function Item(props: { tone: Tone; word: string; href: string; children: ReactNode }) {
  const { tone, word, href, children } = props;
  return (
    <li className="relative flex items-baseline gap-3 border-b border-line px-4 py-2 hover:bg-surface sm:px-6">
      <span className="w-28 shrink-0">
        <State word={word} tone={tone} />
      </span>
      <RowLink href={href} className="min-w-0 flex-1 truncate">
        {children}
      </RowLink>
    </li>
  );
}
