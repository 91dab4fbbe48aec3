"use client";

import { type ReactNode, useContext, useMemo, useState } from "react";
import { BackgroundRefreshes } from "./auto-refresh";
import { useLiveList } from "./live-list";
import { ShowNew } from "./show-new";
import { useTitleCount } from "./use-title-count";

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
 * A table whose rows move only at the top of the page with nothing open. Otherwise, when the page
 * refreshes by itself, added and removed rows wait behind a button; changes within rows appear at once.
 */
export function BufferedTable({ head, rows }: Props) {
  const refreshes = useContext(BackgroundRefreshes);
  const { isHeld } = useLiveList();
  const [kept, keep] = useState(rows);
  const [latest, setLatest] = useState({ rows, refreshes });
  if (latest.rows !== rows) {
    setLatest({ rows, refreshes });
    keep(latest.refreshes === refreshes || !isHeld ? rows : inPlace(kept, rows));
  } else if (!isHeld && kept !== rows) keep(rows);
  const { come, gone } = changeOf(kept, rows);
  const ids = useMemo(() => rows.map(({ id }) => id), [rows]);
  useTitleCount(ids, come > 0);
  const words = [come > 0 && `${come} new`, gone > 0 && `${gone} gone`].filter(Boolean).join(", ");
  const show = () => {
    window.scrollTo({ top: 0 });
    keep(rows);
  };
  return (
    <div className="relative">
      <p
        role="status"
        className="pointer-events-none absolute inset-x-0 top-0 z-3 flex h-8 items-center justify-center"
      >
        {words !== "" && <ShowNew onClick={show}>{words}</ShowNew>}
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

/** How many rows were added and removed. */
function changeOf(before: BufferedRow[], after: BufferedRow[]) {
  const [old, current] = [idsOf(before), idsOf(after)];
  return {
    come: after.filter(({ id }) => !old.has(id)).length,
    gone: before.filter(({ id }) => !current.has(id)).length,
  };
}

function idsOf(rows: BufferedRow[]): Set<string> {
  return new Set(rows.map(({ id }) => id));
}
