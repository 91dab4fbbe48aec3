/** Highlights matches without changing React's DOM; `here` is the current one. */
export function markMatches(matches: Range[], here: Range[]) {
  if (!("highlights" in CSS)) return;
  CSS.highlights.set("found", new Highlight(...matches));
  const current = new Highlight(...here);
  current.priority = 1;
  CSS.highlights.set("found-here", current);
}

export function forgetMatches() {
  if (!("highlights" in CSS)) return;
  CSS.highlights.delete("found");
  CSS.highlights.delete("found-here");
}

/** Adds ranges to a shared highlight. Returns a function that removes them. */
export function addHighlight(name: string, ranges: Range[]): () => void {
  if (!("highlights" in CSS)) return () => {};
  const highlight = CSS.highlights.get(name) ?? new Highlight();
  CSS.highlights.set(name, highlight);
  for (const range of ranges) highlight.add(range);
  return () => {
    for (const range of ranges) highlight.delete(range);
  };
}

export function rangeIn(node: Node, start: number, end: number): Range {
  const range = document.createRange();
  const length = node.textContent?.length ?? 0;
  range.setStart(node, Math.min(start, length));
  range.setEnd(node, Math.min(end, length));
  return range;
}
