"use client";

import { type ReactNode, useMemo } from "react";
import { ShowWaiting } from "./show-waiting";
import { changeOf, useBuffered } from "./use-buffered";
import { useTitleCount } from "./use-title-count";

interface BufferedRow {
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
  const [shown, showLatest] = useBuffered(rows, inPlace);
  const ids = useMemo(() => rows.map(({ id }) => id), [rows]);
  const { come, gone } = changeOf(
    shown.map(({ id }) => id),
    ids,
  );
  useTitleCount(ids, come > 0);
  return (
    <div>
      <ShowWaiting come={come} gone={gone} onShow={showLatest} />
      <table className="list-table">
        <thead>{head}</thead>
        <tbody>{shown.map(({ row }) => row)}</tbody>
      </table>
    </div>
  );
}

/** The same rows with their current content; a removed row stays as it was. */
function inPlace(before: BufferedRow[], after: BufferedRow[]): BufferedRow[] {
  const current = new Map(after.map((row) => [row.id, row]));
  return before.map((row) => current.get(row.id) ?? row);
}
