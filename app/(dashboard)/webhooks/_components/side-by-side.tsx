import { truncate } from "@/components/ui/truncate";
import type { Difference, Line } from "@/lib/artifacts/difference";

/** More would slow the page down. */
const ROWS_MAX = 1000;
const LINE_CHARACTERS_MAX = 500;

interface Row {
  left: Line | undefined;
  right: Line | undefined;
  /** Lines before it are left out. */
  isFirst: boolean;
}

/** The changed lines of two texts beside each other, with a few lines around them. */
export function SideBySide({ difference }: { difference: Difference | undefined }) {
  if (!difference) return <p className="text-muted">The bodies differ in too many lines.</p>;
  if (difference.groups.length === 0) {
    return <p className="text-muted">The bodies differ only in white space or line breaks.</p>;
  }
  const rows = difference.groups.flatMap(rowsOf);
  return (
    <section
      aria-label="Differences between the bodies"
      className="rounded-md border border-line bg-surface py-2"
    >
      <table className="w-full table-fixed border-collapse font-mono text-small">
        <thead className="sr-only">
          <tr>
            <th scope="col">Left</th>
            <th scope="col">Right</th>
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, ROWS_MAX).map(({ left, right, isFirst }, index) => (
            <tr
              key={[index, left?.before, right?.after].join()}
              className={`align-top ${isFirst && index > 0 ? "border-t border-line-strong" : ""}`}
            >
              <Cell line={left} sign="−" tone="bg-failed/10" />
              <Cell line={right} sign="+" tone="bg-ok/10" />
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > ROWS_MAX && (
        <p className="px-3 pt-2 text-small text-muted">
          {`The first ${ROWS_MAX.toLocaleString("en")} of ${rows.length.toLocaleString("en")} lines.`}
        </p>
      )}
    </section>
  );
}

function Cell({ line, sign, tone }: { line: Line | undefined; sign: string; tone: string }) {
  if (!line) return <td className="px-3" />;
  const isSame = line.kind === "same";
  return (
    <td className={`px-3 wrap-anywhere whitespace-pre-wrap ${isSame ? "" : tone}`}>
      <span aria-hidden="true" className="inline-block w-4 text-muted select-none">
        {isSame ? "" : sign}
      </span>
      {!isSame && <span className="sr-only">Changed: </span>}
      {truncate(line.text, LINE_CHARACTERS_MAX)}
      {line.text.length > LINE_CHARACTERS_MAX && <span className="text-muted">…</span>}
    </td>
  );
}

/** Removed lines beside the added lines that replace them. */
function rowsOf(group: Line[]): Row[] {
  const rows: Row[] = [];
  let removed: Line[] = [];
  let added: Line[] = [];
  const flush = () => {
    for (let index = 0; index < Math.max(removed.length, added.length); index += 1) {
      rows.push({ left: removed[index], right: added[index], isFirst: rows.length === 0 });
    }
    removed = [];
    added = [];
  };
  for (const line of group) {
    if (line.kind === "removed") removed.push(line);
    else if (line.kind === "added") added.push(line);
    else {
      flush();
      rows.push({ left: line, right: line, isFirst: rows.length === 0 });
    }
  }
  flush();
  return rows;
}
