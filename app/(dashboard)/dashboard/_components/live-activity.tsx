"use client";

import { useState } from "react";
import { Icon } from "@/components/ui/icon";
import { RowLink } from "@/components/ui/row-link";
import { Time } from "@/components/ui/time";
import { usePoll } from "@/components/ui/use-poll";
import { kindNamed } from "@/lib/resources/kinds";
import type { Activity } from "@/lib/resources/overview/activity";

/** What happened last, in words, updated in place: rows keep their position and get new contents. */
export function LiveActivity({ shown }: { shown: Activity[] }) {
  const [activity, setActivity] = useState(shown);
  usePoll("/dashboard/activity", (text) => {
    if (text !== null) setActivity(JSON.parse(text));
  });
  const rows = activity.map((line, place) => ({ ...line, place: `row ${place}` }));
  return (
    <ol data-card>
      {rows.map(({ place, ...line }) => (
        <li
          key={place}
          className="relative flex items-center gap-3 border-b border-line px-4 py-1 hover:bg-surface sm:px-6"
        >
          <Icon name={line.kind} className="text-muted" />
          <span
            key={`${line.resource_id} ${line.action} ${line.created_at}`}
            className="flex min-w-0 flex-1 gap-x-1 *:shrink-0"
          >
            <Sentence {...line} />
          </span>
          <span className="flex-none text-small text-muted tabular-nums">
            <Time unix={line.created_at} />
          </span>
        </li>
      ))}
    </ol>
  );
}

/** "planner created the task Write the report", or without an actor "3 messages delivered". */
function Sentence({ kind, action, resource_id: id, actor_name, title, count, isCut }: Activity) {
  const { noun, title: several } = kindNamed(kind);
  const { active = action, passive = action } = WORDS[action] ?? {};
  const things =
    count > 1
      ? `${count} ${isCut ? "or more " : ""}${several.toLowerCase()}`
      : actor_name === null
        ? `${noun[0]?.toUpperCase()}${noun.slice(1)}`
        : `the ${noun}`;
  // The icon says it too.
  const isNamed = count === 1 && title !== null;
  const what = <span className={isNamed ? "sr-only" : "text-muted"}>{things}</span>;
  const name = count === 1 && (
    <span className="min-w-0 shrink! truncate">
      {title === null ? (
        <span className="font-mono text-small text-muted">{id}</span>
      ) : (
        <RowLink href={`/${kind}/${id}`} className="font-medium">
          <bdi>{title}</bdi>
        </RowLink>
      )}
    </span>
  );
  if (actor_name === null) {
    return (
      <>
        {what} {name} <span className="text-muted">{passive}</span>
      </>
    );
  }
  return (
    <>
      <bdi className="max-w-2/5 truncate">{actor_name}</bdi>{" "}
      <span className="text-muted">{active}</span> {what} {name}
    </>
  );
}

/** Others, such as "completed", are their own word in both. */
const WORDS: Partial<Record<Activity["action"], { active?: string; passive: string }>> = {
  note_added: { active: "added a note to", passive: "got a note" },
  blocker_added: { active: "added a blocker to", passive: "got a blocker" },
  blocker_removed: { active: "removed a blocker from", passive: "lost a blocker" },
  answered: { passive: "was answered" },
  unshared: { active: "ended a share of", passive: "no longer shared" },
  event_dead: { passive: "has a dead event" },
};
