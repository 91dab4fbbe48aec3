/** The selected tasks are those with checked boxes, so that a refresh of the list keeps them. */

export function selectedIds(): string[] {
  return boxes().flatMap((box) => (box.checked && box.dataset.select ? [box.dataset.select] : []));
}

export function clearSelection(): void {
  for (const box of boxes()) box.checked = false;
}

export function selectAll(): void {
  for (const box of boxes()) box.checked = true;
}

/** Gives the state of the second box to both boxes and all between them. */
export function selectRange(from: HTMLInputElement, to: HTMLInputElement): void {
  const all = boxes();
  const [start, end] = [all.indexOf(from), all.indexOf(to)].sort((a, b) => a - b);
  if (start === undefined || start < 0) return;
  for (const box of all.slice(start, (end ?? 0) + 1)) box.checked = to.checked;
}

/** The row or card with the focus. */
export function focusedTask(): HTMLElement | null {
  return document.activeElement?.closest<HTMLElement>("[data-task]") ?? null;
}

export function boxOf(task: Element | null): HTMLInputElement | null {
  return task?.querySelector<HTMLInputElement>("[data-select]") ?? null;
}

/** Selects the focused row and the next (1) or previous (-1) one, which gets the focus. */
export function extendSelection(step: number): void {
  const rows = boxes().map((box) => box.closest<HTMLElement>("[data-task]"));
  const focused = focusedTask();
  const at = focused ? rows.indexOf(focused) : -1;
  const next = rows[at === -1 ? 0 : Math.min(Math.max(at + step, 0), rows.length - 1)];
  for (const row of [rows[at], next]) {
    const box = boxOf(row ?? null);
    if (box) box.checked = true;
  }
  next?.querySelector<HTMLElement>("[data-row]")?.focus();
}

function boxes(): HTMLInputElement[] {
  return [...document.querySelectorAll<HTMLInputElement>("[data-select]")];
}
