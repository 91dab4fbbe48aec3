import { hexDump, hexRanges } from "./hex-dump";
import type { Match } from "./match";

/** Loaded on the first search. */
const loadFind = () => import("./find-offsets");

/** A whole body that is shown one part at a time. Positions are in characters or in bytes. */
export interface Source {
  length: number;
  show(start: number, end: number): string;
  find(words: string, signal: AbortSignal): Promise<Match[]>;
  /** The ranges of a match in the text of a part that starts at `start`. */
  rangesOf(match: Match, start: number): [start: number, end: number][];
}

/** Shows a body as its characters. */
export function textSource(text: string): Source {
  return {
    length: text.length,
    // A part may start or end inside a surrogate pair.
    show: (start, end) => text.slice(start, end).toWellFormed(),
    find: async (words, signal) => (await loadFind()).findInText(text, words, signal),
    rangesOf: ({ start, end }, from) => [[start - from, end - from]],
  };
}

/** Shows a body as its bytes. */
function hexSource(bytes: Uint8Array): Source {
  return {
    length: bytes.length,
    show: (start, end) => hexDump(bytes.subarray(start, end), start),
    find: async (words) => (await loadFind()).findInBytes(bytes, words),
    rangesOf: ({ start, end }, from) => hexRanges(Math.max(0, start - from), end - from),
  };
}

/** Where the bytes of a body are, and how to show them. */
export interface Origin {
  href: string;
  /** The character encoding of a text; null shows bytes. */
  charset: string | null;
}

/** Downloads a body; undefined if that fails. */
export async function download({ href, charset }: Origin): Promise<Source | undefined> {
  try {
    const response = await fetch(href);
    if (!response.ok) return undefined;
    const bytes = new Uint8Array(await response.arrayBuffer());
    if (charset === null) return hexSource(bytes);
    return textSource(new TextDecoder(charset, { ignoreBOM: true }).decode(bytes));
  } catch {
    return undefined;
  }
}
