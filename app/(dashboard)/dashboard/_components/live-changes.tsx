"use client";

import { useState } from "react";
import { Icon } from "@/components/ui/icon";
import { RowLink } from "@/components/ui/row-link";
import { Time } from "@/components/ui/time";
import { usePoll } from "@/components/ui/use-poll";
import type { ChangeLine } from "@/lib/resources/changes/newest";
import { kindNamed } from "@/lib/resources/kinds";

/** The newest changes, updated in place: rows keep their position and get new contents. */
export function LiveChanges({ shown }: { shown: ChangeLine[] }) {
  const [changes, setChanges] = useState(shown);
  usePoll("/dashboard/changes", (text) => {
    if (text !== null) setChanges(JSON.parse(text));
  });
  const rows = changes.map((change, place) => ({ ...change, place: `row ${place}` }));
  return (
    <ol>
      {rows.map(({ place, kind, action, resource_id: id, actor_name, created_at }) => (
        <li
          key={place}
          className="relative flex items-center gap-3 border-b border-line px-4 py-2 hover:bg-surface sm:px-6"
        >
          <Icon name={kind} className="text-muted" />
          <span key={`${id} ${action} ${created_at}`} className="min-w-0 flex-1 truncate">
            {`${kindNamed(kind).noun} ${action.replaceAll("_", " ")} `}
            {action === "deleted" ? (
              <span className="font-mono text-small text-muted">{id}</span>
            ) : (
              <RowLink href={`/${kind}/${id}`} className="font-mono text-small">
                {id}
              </RowLink>
            )}
          </span>
          {actor_name !== null && (
            <span className="hidden max-w-48 truncate text-small text-muted sm:block">
              {actor_name}
            </span>
          )}
          <span className="shrink-0 text-small text-muted tabular-nums">
            <Time unix={created_at} />
          </span>
        </li>
      ))}
    </ol>
  );
}
