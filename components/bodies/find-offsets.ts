import { exactPattern } from "@/components/ui/exact-pattern";
import { MATCHES_MAX, type Match } from "./match";

/** Characters to search without a pause, so that typing stays smooth with the longest bodies. */
const STEP = 500_000;

/** Finds `words` in a text, ignoring case. Pauses between steps, and stops if `signal` aborts. */
export async function findInText(
  text: string,
  words: string,
  signal: AbortSignal,
): Promise<Match[]> {
  if (words === "") return [];
  const matches: Match[] = [];
  for (let from = 0; from < text.length; from += STEP) {
    if (from > 0) await pause();
    if (signal.aborted) return [];
    // A match may start in this step and end in the next.
    const step = text.slice(from, from + STEP + words.length - 1);
    for (const match of step.matchAll(asPattern(words))) {
      const start = from + match.index;
      if (start < (matches.at(-1)?.end ?? 0)) continue;
      matches.push({ start, end: start + match[0].length });
      if (matches.length === MATCHES_MAX) return matches;
    }
  }
  return matches;
}

/** Matches `words` literally. */
export function asPattern(words: string): RegExp {
  return new RegExp(exactPattern(words), "giu");
}

/** Finds bytes: those named by hexadecimal digits such as `de ad`, or a text in UTF-8. */
export function findInBytes(bytes: Uint8Array, words: string): Match[] {
  const digits = words.replaceAll(/\s/g, "");
  const isHex = digits.length % 2 === 0 && /^[0-9a-f]+$/i.test(digits);
  const wanted = isHex
    ? Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
    : new TextEncoder().encode(words);
  const [first] = wanted;
  const matches: Match[] = [];
  if (first === undefined) return matches;
  for (let at = bytes.indexOf(first); at !== -1; at = bytes.indexOf(first, at + 1)) {
    if (!wanted.every((byte, index) => bytes[at + index] === byte)) continue;
    matches.push({ start: at, end: at + wanted.length });
    if (matches.length === MATCHES_MAX) break;
    at += wanted.length - 1;
  }
  return matches;
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
