import { Fragment } from "react";
import { DIFFERENCE_LINES_SHOWN, DifferenceLine, toneOf } from "@/components/ui/difference-line";
import { counted } from "@/lib/platform/counted";
import type { Difference, Line } from "@/lib/resources/artifacts/difference";

/** The lines that one version removed from another and added to it. */
export function LineDifference({ difference }: { difference: Difference | undefined }) {
  if (!difference) {
    return <p className="text-muted">These versions are too long, or too different, to compare.</p>;
  }
  const { added, removed, groups } = difference;
  if (added + removed === 0) return <p className="text-muted">The content is the same.</p>;
  const total = groups.flat().length;
  return (
    <>
      <p className="mb-2 text-small text-muted tabular-nums">
        {counted(removed, "line")} removed, {counted(added, "line")} added
      </p>
      <section
        aria-label="Changed lines"
        className="code-text rounded-md border border-line bg-surface py-2"
      >
        <table className="w-full border-collapse">
          <thead className="sr-only">
            <tr>
              <th scope="col">Old line</th>
              <th scope="col">New line</th>
              <th scope="col">Text</th>
            </tr>
          </thead>
          <tbody>
            {firstLines(groups).map((group, index) => (
              <Fragment key={rowKey(group[0])}>
                {index > 0 && (
                  <tr>
                    <td colSpan={3} className="px-3 text-muted">
                      <span aria-hidden="true">⋯</span>
                      <span className="sr-only">Unchanged lines</span>
                    </td>
                  </tr>
                )}
                {group.map((line) => (
                  <Row key={rowKey(line)} line={line} />
                ))}
              </Fragment>
            ))}
          </tbody>
        </table>
      </section>
      {total > DIFFERENCE_LINES_SHOWN && (
        <p className="mt-1 text-small text-muted">
          The first {DIFFERENCE_LINES_SHOWN.toLocaleString("en")} of {total.toLocaleString("en")}{" "}
          lines. Download both versions to compare the rest.
        </p>
      )}
    </>
  );
}

const NUMBER = "w-0 pl-3 text-right whitespace-nowrap text-muted tabular-nums select-none";

function Row({ line }: { line: Line }) {
  return (
    <tr className={`align-top ${toneOf(line)}`}>
      <td className={NUMBER}>{line.before}</td>
      <td className={NUMBER}>{line.after}</td>
      <td className="px-3">
        <DifferenceLine line={line} />
      </td>
    </tr>
  );
}

function firstLines(groups: Line[][]): Line[][] {
  let left = DIFFERENCE_LINES_SHOWN;
  return groups
    .map((group) => {
      const shown = group.slice(0, Math.max(left, 0));
      left -= group.length;
      return shown;
    })
    .filter((group) => group.length > 0);
}

function rowKey(line: Line | undefined): string {
  return `${line?.before}:${line?.after}`;
}
