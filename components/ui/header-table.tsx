import { isCredential, REDACTED } from "@/lib/http/recorded-headers";

/** Header names and values; credentials are hidden behind a button. */
export function HeaderTable({ entries, label }: { entries: [string, string][]; label: string }) {
  if (entries.length === 0) return <p className="text-muted">none</p>;
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
