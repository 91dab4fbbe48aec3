/** Steps left to rows that a long table has not rendered yet. */
let remaining = 0;
let frame = 0;
const FRAMES_MAX = 60;

/** Moves the focus to the next row on j and to the previous one on k. */
export function walkList(event: KeyboardEvent) {
  const step = { j: 1, k: -1 }[event.key];
  if (step === undefined) return;
  walk(step, FRAMES_MAX);
  event.preventDefault();
}

function walk(steps: number, framesLeft: number) {
  const all = [...document.querySelectorAll<HTMLElement>("[data-row]")];
  // Leaves out folded rows.
  const rows = all.filter((row) => row.checkVisibility());
  const at = rows.indexOf(document.activeElement as HTMLElement);
  const open = rows.findIndex((row) => row.closest("[aria-current]"));
  const from = at === -1 ? open : at;
  const next = from === -1 ? rows.findIndex(isOnScreen) : from + remaining + steps;
  const reached = Math.min(Math.max(next, 0), rows.length - 1);
  const row = rows[reached];
  row?.focus();
  // Focusing the last rendered row scrolls, which renders the rows after it.
  remaining = row && framesLeft > 0 && isBesideGap(row, next - reached) ? next - reached : 0;
  cancelAnimationFrame(frame);
  if (remaining === 0) return;
  frame = requestAnimationFrame(() => {
    if (document.activeElement === row) walk(0, framesLeft - 1);
    else remaining = 0;
  });
}

/** Whether the row is below the list's sticky header. */
function isOnScreen(row: HTMLElement) {
  return row.getBoundingClientRect().top >= 64;
}

/** Whether the table omits rows next to this one, in the direction of `steps`. */
function isBesideGap(row: HTMLElement, steps: number): boolean {
  if (steps === 0) return false;
  const line = row.closest("tr");
  const beside = steps > 0 ? line?.nextElementSibling : line?.previousElementSibling;
  return beside?.hasAttribute("data-gap") ?? false;
}
