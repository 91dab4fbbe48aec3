import { isCredential, REDACTED } from "@/lib/platform/http/recorded-headers";

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
  const folded = entries.slice(SHOWN_MAX);
  return (
    <>
      <Rows label={label} entries={entries.slice(0, SHOWN_MAX)} />
      {folded.length > 0 && (
        <details className="mt-2">
          <summary className="cursor-pointer text-small text-muted hover:text-ink">
            {folded.length} more
          </summary>
          <Rows label={`More ${label.toLowerCase()}`} entries={folded} />
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

function Rows({ entries, label }: { entries: [string, string][]; label: string }) {
  return (
    <dl
      aria-label={label}
      className="grid grid-cols-[minmax(6rem,11rem)_minmax(0,1fr)] gap-x-4 font-mono text-small"
    >
      {entries.map(([name, value]) => (
        <div key={name} className="col-span-2 grid grid-cols-subgrid border-b border-line py-1">
          <dt className="wrap-anywhere text-muted">{name}</dt>
          <dd className="wrap-anywhere whitespace-pre-wrap">
            {isCredential(name) && value !== REDACTED ? (
              <details>
                <summary className="cursor-pointer text-muted">Show</summary>
                {value}
              </details>
            ) : (
              value
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
