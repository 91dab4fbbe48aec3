"use client";

import { type ReactNode, useEffect, useState } from "react";
import { BACKGROUND_REFRESH } from "./auto-refresh";

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
  const [kept, keep] = useState(rows);
  const [latest, setLatest] = useState(rows);
  const [unasked, setUnasked] = useState(false);

  useEffect(() => {
    const note = () => setUnasked(true);
    document.addEventListener(BACKGROUND_REFRESH, note);
    return () => document.removeEventListener(BACKGROUND_REFRESH, note);
  }, []);

  if (latest !== rows) {
    setLatest(rows);
    setUnasked(false);
    keep(unasked ? inPlace(kept, rows) : rows);
  }
  const change = changeOf(kept, rows);
  return (
    <div className="relative">
      <p
        role="status"
        className="pointer-events-none absolute inset-x-0 top-0 z-3 flex h-8 justify-center"
      >
        {change !== "" && (
          <button
            type="button"
            onClick={() => keep(rows)}
            className="pointer-events-auto my-0.5 rounded-full bg-accent px-3 text-small leading-7 font-medium text-accent-ink tabular-nums"
          >
            {change}
          </button>
        )}
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
