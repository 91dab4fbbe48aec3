import { Fragment, type ReactNode } from "react";
import { Time } from "@/components/ui/time";
import type { AuditEntry } from "@/lib/identity/audit/activity";
import { AUDIT_WORDS } from "./audit-words";

/** The audit log: who did what, and when. */
export function AuditList({ events }: { events: AuditEntry[] }) {
  return (
    <ol>
      {events.map((event) => (
        <li
          key={event.id}
          id={event.id}
          className="flex flex-wrap items-baseline gap-x-3 border-b border-line px-4 py-2 target:bg-surface sm:px-6"
        >
          <span className="min-w-0 wrap-anywhere">{sentenceOf(event)}</span>
          {event.ip && <span className="text-small text-muted">from {event.ip}</span>}
          <span className="ml-auto text-small text-muted tabular-nums">
            <Time unix={event.created_at} />
          </span>
        </li>
      ))}
    </ol>
  );
}

/** The sentence for an event, with each {…} replaced by the event's data. */
function sentenceOf(event: AuditEntry): ReactNode {
  const { action, data } = event;
  const leaves = action === "member.removed" && data.user === event.actor;
  const words = leaves ? "{who} left" : (AUDIT_WORDS[action] ?? `{who}: ${action}`);
  const values: Record<string, unknown> = {
    ...data,
    who: event.actor_name ?? event.actor,
    user: event.about ?? data.user,
    key: data.name ?? data.key ?? data.id,
  };
  const parts = [...words.matchAll(/([^{]*)\{(\w+)\}/g)];
  const said = parts.reduce((length, [part]) => length + part.length, 0);
  return (
    <>
      {parts.map(([, before, name = ""]) => (
        <Fragment key={name}>
          {before}
          <strong className="font-medium">{String(values[name] ?? "someone")}</strong>
        </Fragment>
      ))}
      {words.slice(said)}
    </>
  );
}
