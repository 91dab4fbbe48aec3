import type { ReactNode } from "react";
import { isCredential, REDACTED } from "@/lib/platform/http/recorded-headers";
import { PairRows } from "./pair-rows";

const SHOWN_MAX = 200;

interface Props {
  entries: [string, string][];
  label: string;
  /** True if there were more headers than `entries` contains. */
  isCut?: boolean;
}

/** Header names and values. Credentials are folded, as are headers beyond what anyone will read. */
export function HeaderTable({ entries, label, isCut = false }: Props) {
  if (entries.length === 0) return <p className="text-muted">none</p>;
  const rows = entries.map(rowOf);
  const folded = rows.slice(SHOWN_MAX);
  return (
    <>
      <PairRows label={label} rows={rows.slice(0, SHOWN_MAX)} />
      {folded.length > 0 && (
        <details className="mt-2">
          <summary className="cursor-pointer text-small text-muted hover:text-ink">
            {folded.length} more
          </summary>
          <PairRows label={`More ${label.toLowerCase()}`} rows={folded} />
        </details>
      )}
      {isCut && (
        <p className="mt-1 text-small text-waiting">
          There were more headers: these are the first ones.
        </p>
      )}
    </>
  );
}

function rowOf([name, value]: [string, string]): [string, ReactNode] {
  if (!isCredential(name) || value === REDACTED) return [name, value];
  const fold = (
    <details>
      <summary className="cursor-pointer text-muted">Show</summary>
      {value}
    </details>
  );
  return [name, fold];
}
