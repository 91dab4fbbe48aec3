"use client";

import { type ReactNode, useContext, useState } from "react";
import { BackgroundRefreshes } from "./auto-refresh";
import { ShowNew } from "./show-new";

export interface BufferedRow {
  id: string;
  /** Its cells, in a `<tr>` whose key is the ID. */
  row: ReactNode;
}

interface Props {
  head: ReactNode;
  rows: BufferedRow[];
}

/**
 * A table whose rows never jump. When the page refreshes by itself, added and removed rows wait
 * behind a button; changes within rows appear at once.
 */
export function BufferedTable({ head, rows }: Props) {
  const refreshes = useContext(BackgroundRefreshes);
  const [kept, keep] = useState(rows);
  const [latest, setLatest] = useState({ rows, refreshes });
  if (latest.rows !== rows) {
    setLatest({ rows, refreshes });
    keep(latest.refreshes === refreshes ? rows : inPlace(kept, rows));
  }
  const change = changeOf(kept, rows);
  return (
    <div className="relative">
      <p
        role="status"
        className="pointer-events-none absolute inset-x-0 top-0 z-3 flex h-8 items-center justify-center"
      >
        {change !== "" && <ShowNew onClick={() => keep(rows)}>{change}</ShowNew>}
      </p>
      <table className="list-table">
        <thead>{head}</thead>
        <tbody>{kept.map(({ row }) => row)}</tbody>
      </table>
    </div>
  );
}

/** The same rows with their current content; a removed row stays as it was. */
function inPlace(before: BufferedRow[], after: BufferedRow[]): BufferedRow[] {
  const current = new Map(after.map((row) => [row.id, row]));
  return before.map((row) => current.get(row.id) ?? row);
}

/** "3 new, 1 gone"; empty when the rows are the same. */
function changeOf(before: BufferedRow[], after: BufferedRow[]): string {
  const [old, current] = [idsOf(before), idsOf(after)];
  const come = after.filter(({ id }) => !old.has(id)).length;
  const gone = before.filter(({ id }) => !current.has(id)).length;
  return [come > 0 && `${come} new`, gone > 0 && `${gone} gone`].filter(Boolean).join(", ");
}

function idsOf(rows: BufferedRow[]): Set<string> {
  return new Set(rows.map(({ id }) => id));
}
