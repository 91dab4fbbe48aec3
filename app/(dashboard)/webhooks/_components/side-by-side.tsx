import { DIFFERENCE_LINES_SHOWN, DifferenceLine, toneOf } from "@/components/ui/difference-line";
import type { Difference, Line } from "@/lib/resources/artifacts/difference";

interface Row {
  left: Line | undefined;
  right: Line | undefined;
  /** True if lines before it were omitted. */
  isFirst: boolean;
}

/** The changed lines of two texts side by side, with a few lines of context. */
export function SideBySide({ difference }: { difference: Difference | undefined }) {
  if (!difference)
    return <p className="text-muted">The bodies are too long, or too different, to compare.</p>;
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
          {rows.slice(0, DIFFERENCE_LINES_SHOWN).map(({ left, right, isFirst }, index) => (
            <tr
              key={[index, left?.before, right?.after].join()}
              className={`align-top ${isFirst && index > 0 ? "border-t border-line-strong" : ""}`}
            >
              <Cell line={left} />
              <Cell line={right} />
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > DIFFERENCE_LINES_SHOWN && (
        <p className="px-3 pt-2 text-small text-muted">
          {`The first ${DIFFERENCE_LINES_SHOWN.toLocaleString("en")} of ${rows.length.toLocaleString("en")} lines.`}
        </p>
      )}
    </section>
  );
}

function Cell({ line }: { line: Line | undefined }) {
  if (!line) return <td className="px-3" />;
  return (
    <td className={`px-3 wrap-anywhere whitespace-pre-wrap ${toneOf(line)}`}>
      <DifferenceLine line={line} />
    </td>
  );
}

/** Pairs removed lines with the added lines that replace them. */
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
