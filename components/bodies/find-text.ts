import { asPattern } from "./find-offsets";
import { MATCHES_MAX } from "./match";

/**
 * Finds `words` in the text of an element, ignoring case. A match may span elements, such as a name
 * and its value, but not lines. Text marked `data-note` is skipped.
 */
export function findText(within: HTMLElement, words: string): Range[] {
  if (words === "") return [];
  const pieces = piecesOf(within);
  const text = pieces.map(({ text }) => text).join("");
  const ranges: Range[] = [];
  let from = 0;
  for (const match of text.matchAll(asPattern(words))) {
    if (ranges.length === MATCHES_MAX) break;
    const end = match.index + match[0].length;
    // Matches come in order, so one pass over the pieces is enough.
    while (endOf(pieces[from]) <= match.index) from += 1;
    let to = from;
    while (endOf(pieces[to]) < end) to += 1;
    const [first, last] = [pieces[from], pieces[to]];
    if (!first || !last) break;
    const range = document.createRange();
    range.setStart(first.node, match.index - first.start);
    range.setEnd(last.node, end - last.start);
    ranges.push(range);
  }
  return ranges;
}

interface Piece {
  node: Text;
  /** The node's text, preceded by a line break if it starts a line. */
  text: string;
  /** Where the node's own characters start in the whole text. */
  start: number;
}

function piecesOf(within: HTMLElement): Piece[] {
  const walker = document.createTreeWalker(within, NodeFilter.SHOW_TEXT);
  const pieces: Piece[] = [];
  let length = 0;
  let lastLine: Element | null | undefined;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!(node instanceof Text) || node.parentElement?.closest("[data-note]")) continue;
    const line = node.parentElement?.closest("p, summary, pre");
    const gap = line === lastLine ? "" : "\n";
    pieces.push({ node, text: gap + node.data, start: length + gap.length });
    length += gap.length + node.data.length;
    lastLine = line;
  }
  return pieces;
}

function endOf(piece: Piece | undefined): number {
  return piece ? piece.start + piece.node.data.length : Number.POSITIVE_INFINITY;
}
