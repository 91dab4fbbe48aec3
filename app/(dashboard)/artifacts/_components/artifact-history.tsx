import { bytes } from "@/components/ui/bytes";
import { Link } from "@/components/ui/link";
import { Time } from "@/components/ui/time";
import type { VersionRow } from "@/lib/resources/artifacts/versions";
import { formatWords } from "./artifact-table";
import { SizeChart } from "./size-chart";

/** The number of versions shown before the fold. */
const SHOWN = 6;

/** The size of an artifact over time, and its changes, newest first. */
export function ArtifactHistory({ id, versions }: { id: string; versions: VersionRow[] }) {
  const entries = versions.map((version, index) => (
    <Entry
      key={version.number}
      href={index === 0 ? undefined : `/artifacts/${id}/versions/${version.number}`}
      version={version}
      before={versions[index + 1]}
    />
  ));
  const older = entries.slice(SHOWN);
  const [newest, oldest] = [versions[0], versions.at(-1)];
  return (
    <section aria-label="History" className="mt-6 border-t border-line pt-6">
      <h2 className="mb-3 font-semibold">History</h2>
      {versions.length > 1 && <SizeChart versions={versions} now={Math.floor(Date.now() / 1000)} />}
      <ol className="mt-3">{entries.slice(0, SHOWN)}</ol>
      {older.length > 0 && (
        <details>
          <summary className="mt-1 cursor-pointer text-small text-muted hover:text-ink">
            {older.length} older
          </summary>
          <ol>{older}</ol>
        </details>
      )}
      {oldest && oldest.number !== 1 && (
        <p className="mt-1 text-small text-muted">
          Only the newest {versions.length} of {newest?.number.toLocaleString("en")} versions are
          kept.
        </p>
      )}
    </section>
  );
}

interface EntryProps {
  /** The page of an earlier version. */
  href: string | undefined;
  version: VersionRow;
  before: VersionRow | undefined;
}

function Entry({ href, version, before }: EntryProps) {
  const { name, format, size, number } = version;
  return (
    <li className="border-b border-line py-1.5 last:border-0">
      <p className="flex flex-wrap items-baseline justify-between gap-x-3 tabular-nums">
        <span>
          {href ? (
            <Link href={href} className="link">
              Version {number}
            </Link>
          ) : (
            <>Version {number}</>
          )}
          , {bytes(size)}
          {before && <span className="text-muted"> {growth(size - before.size)}</span>}
        </span>
        <span className="text-small text-muted">
          <Time unix={version.created_at} />
        </span>
      </p>
      <p className="text-small wrap-anywhere text-muted">
        {[
          number === 1 && "Created",
          before && before.name !== name && `Renamed to ${name}`,
          before && before.format !== format && `Now ${formatWords(format)}`,
          authorWords(version),
          !version.kept && "content no longer kept",
        ]
          .filter(Boolean)
          .join(", ")}
      </p>
    </li>
  );
}

/** "by writer-1"; undefined if the author is unknown. */
export function authorWords({ author_kind, author_name }: VersionRow): string | undefined {
  return author_kind === null ? undefined : `by ${author_name ?? AUTHORS[author_kind]}`;
}

const AUTHORS = { key: "a key", person: "a person", anonymous: "an anonymous caller" };

/** "(+1.1 kB)", "(−20 bytes)", "(same size)". */
function growth(difference: number): string {
  if (difference === 0) return "(same size)";
  return `(${difference > 0 ? "+" : "−"}${bytes(Math.abs(difference))})`;
}
