import { expect, test } from "playwright/test";
import { truncateJson } from "@/lib/platform/truncate";

const TEXTS = [
  'say "no"\\\\u0001\\',
  "\\u0001\u0001\n\\\\\\",
  "ü€😀\u0001😀x",
  "\u0001\u0002\u001f",
  "plain",
  "",
];

test("The longest beginning whose JSON fits is kept, however its characters are escaped", () => {
  for (const text of TEXTS) {
    const starts = Array.from({ length: text.length + 1 }, (_, end) => text.slice(0, end)).filter(
      (start) => start.isWellFormed(),
    );
    for (const unit of ["characters", "bytes"] as const) {
      const sizeOf = (start: string) => {
        const json = JSON.stringify(start).slice(1, -1);
        return unit === "bytes" ? Buffer.byteLength(json) : json.length;
      };
      for (let max = 0; max <= sizeOf(text) + 1; max += 1) {
        const longest = starts.findLast((start) => sizeOf(start) <= max);
        expect(truncateJson(text, max, unit), `${text} in ${max} ${unit}`).toBe(longest);
      }
    }
  }
});
