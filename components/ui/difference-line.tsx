import type { Line } from "@/lib/resources/artifacts/difference";
import { truncate } from "./truncate";

/** More would slow the page down. */
export const DIFFERENCE_LINES_SHOWN = 1000;
const CHARACTERS_SHOWN = 500;

const KINDS = {
  same: { sign: "", tone: "", name: "" },
  removed: { sign: "−", tone: "bg-failed/10", name: "Removed: " },
  added: { sign: "+", tone: "bg-ok/10", name: "Added: " },
};

/** The CSS class for the background of a line. */
export function toneOf({ kind }: Line): string {
  return KINDS[kind].tone;
}

/** A line of a comparison, with a sign if it was removed or added. */
export function DifferenceLine({ line: { kind, text } }: { line: Line }) {
  const { sign, name } = KINDS[kind];
  return (
    <div className="flex">
      <span aria-hidden="true" className="w-4 shrink-0 select-none">
        {sign}
      </span>
      <span className="min-w-0">
        {name && <span className="sr-only">{name}</span>}
        {truncate(text, CHARACTERS_SHOWN)}
        {text.length > CHARACTERS_SHOWN && <span className="text-muted">…</span>}
      </span>
    </div>
  );
}
