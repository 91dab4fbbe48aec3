import { truncate } from "@/lib/platform/truncate";
import type { Line } from "@/lib/resources/artifacts/difference";

/** More would slow the page down. */
export const DIFFERENCE_LINES_SHOWN = 1000;
const CHARACTERS_SHOWN = 500;

const KINDS = {
  same: { sign: "", tone: "", mark: "", name: "" },
  removed: { sign: "−", tone: "bg-failed/10", mark: "bg-failed/25", name: "Removed: " },
  added: { sign: "+", tone: "bg-ok/10", mark: "bg-ok/25", name: "Added: " },
};

/** The CSS class for the background of a line. */
export function toneOf({ kind }: Line): string {
  return KINDS[kind].tone;
}

/** A line of a comparison, with a sign if it was removed or added, and its changed words marked. */
export function DifferenceLine({ line: { kind, text, parts } }: { line: Line }) {
  const { sign, mark, name } = KINDS[kind];
  return (
    <div className="flex">
      <span aria-hidden="true" className="w-4 shrink-0 select-none">
        {sign}
      </span>
      <span className="min-w-0">
        {name && <span className="sr-only">{name}</span>}
        {parts
          ? parts.map((part, at) =>
              part.isChanged ? (
                // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other identity.
                <mark key={at} className={`rounded-xs text-inherit ${mark}`}>
                  {part.text}
                </mark>
              ) : (
                part.text
              ),
            )
          : truncate(text, CHARACTERS_SHOWN)}
        {text.length > CHARACTERS_SHOWN && <span className="text-muted">…</span>}
      </span>
    </div>
  );
}
