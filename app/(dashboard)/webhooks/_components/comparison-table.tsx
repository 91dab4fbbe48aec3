import type { ReactNode } from "react";

/** The value on each side; null if a side has none. */
export interface ComparedRow {
  name: string;
  left: ReactNode;
  right: ReactNode;
  isSame: boolean;
}

interface Props {
  label: string;
  rows: ComparedRow[];
  /** Shows equal rows among the others, not folded below them. */
  showsSame?: boolean;
}

/** Names with the values of both sides. */
export function ComparisonTable({ label, rows, showsSame = false }: Props) {
  const same = showsSame ? [] : rows.filter(({ isSame }) => isSame);
  const shown = showsSame ? rows : rows.filter(({ isSame }) => !isSame);
  if (rows.length === 0) return <p className="text-muted">none</p>;
  return (
    <>
      {shown.length > 0 && <Rows label={label} rows={shown} />}
      {same.length > 0 && (
        <details className="mt-2">
          <summary className="cursor-pointer text-small text-muted hover:text-ink">
            {same.length === 1 ? "1 is the same" : `${same.length} are the same`}
          </summary>
          <Rows label={`${label} that are the same`} rows={same} />
        </details>
      )}
    </>
  );
}

function Rows({ label, rows }: { label: string; rows: ComparedRow[] }) {
  return (
    <table aria-label={label} className="w-full table-fixed border-collapse font-mono text-small">
      <colgroup>
        <col className="w-20 sm:w-1/5" />
        <col />
        <col />
      </colgroup>
      <thead className="sr-only">
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Left</th>
          <th scope="col">Right</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, left, right, isSame }, index) => (
          <tr key={[index, name].join()} className="border-b border-line align-top">
            <th scope="row" className="py-1 pr-3 text-left font-normal wrap-anywhere text-muted">
              {name}
            </th>
            <td className={`py-1 pr-3 pl-1 wrap-anywhere ${isSame ? "" : "bg-failed/10"}`}>
              {left ?? <None />}
            </td>
            <td className={`py-1 pl-1 wrap-anywhere ${isSame ? "" : "bg-ok/10"}`}>
              {right ?? <None />}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function None() {
  return <span className="text-muted">none</span>;
}
