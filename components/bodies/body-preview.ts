import { truncate } from "@/components/ui/truncate";

/** Enough to find a line, however large the body is. */
const START_MAX = 10_000;
const LINE_MAX = 160;

/** One line from the beginning of a body; null if it is not text. */
export function bodyPreview(start: string | null): string {
  if (start === null) return "Binary data";
  const text = start.slice(0, START_MAX).trim();
  // The first line of indented JSON is only a bracket.
  const line = /^[{[]/.test(text) ? text.replace(/\s+/g, " ") : (text.split("\n", 1)[0] ?? "");
  return truncate(line, LINE_MAX) || "Only white space";
}
