"use client";

import { type ReactNode, useMemo } from "react";
import { ShowWaiting } from "./show-waiting";
import { changeOf, useBuffered } from "./use-buffered";
import { useTitleCount } from "./use-title-count";

interface BufferedRow {
  id: string;
  /** The row's cells, in a `<tr>` whose key is the ID. */
  row: ReactNode;
}

interface Props {
  head: ReactNode;
  rows: BufferedRow[];
}

/**
 * A table whose rows move only while the page is at its top with nothing open. Otherwise, when the
 * page refreshes automatically, added and removed rows wait behind a button; changes within rows
 * appear at once.
 */
export function BufferedTable({ head, rows }: Props) {
  const [shown, showLatest] = useBuffered(rows, inPlace);
  const ids = useMemo(() => rows.map(({ id }) => id), [rows]);
  const { added, removed } = changeOf(
    shown.map(({ id }) => id),
    ids,
  );
  useTitleCount(ids, added > 0);
  return (
    <div>
      <ShowWaiting added={added} removed={removed} onShow={showLatest} />
      <table className="list-table">
        <thead>{head}</thead>
        <tbody>{shown.map(({ row }) => row)}</tbody>
      </table>
    </div>
  );
}

/** The shown rows with their current content; a removed row keeps its last content. */
function inPlace(before: BufferedRow[], after: BufferedRow[]): BufferedRow[] {
  const current = new Map(after.map((row) => [row.id, row]));
  return before.map((row) => current.get(row.id) ?? row);
}
