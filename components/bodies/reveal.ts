/** What may cover the ends of a page: the search field at the top, the navigation at the bottom. */
const COVERED = 64;

/** Scrolls to a range, in the centre of the nearest element that scrolls; its element alone may be one long text. */
export function reveal(range: Range | undefined, within: HTMLElement | null): void {
  let isNearest = true;
  for (let element = within; range && element; element = element.parentElement) {
    const isRoot = element === document.documentElement;
    if (!isRoot && !/auto|scroll/.test(getComputedStyle(element).overflowY)) continue;
    const box = range.getBoundingClientRect();
    const frame = isRoot
      ? new DOMRect(0, 0, innerWidth, innerHeight)
      : element.getBoundingClientRect();
    if (element.scrollHeight > element.clientHeight) {
      const top = Math.max(frame.top, 0) + COVERED;
      const bottom = Math.min(frame.bottom, innerHeight) - COVERED;
      const excess = Math.max(box.bottom - bottom, 0) + Math.min(box.top - top, 0);
      if (excess !== 0) element.scrollTop += isNearest ? box.top - (top + bottom) / 2 : excess;
      isNearest = false;
    }
    if (box.left > frame.right || box.right < frame.left) {
      element.scrollLeft += box.left - frame.left - element.clientWidth / 2;
    }
  }
}
