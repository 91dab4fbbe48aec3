/** Bytes per line, few enough for a narrow screen. */
const HEX_LINE_BYTES = 8;
/** The column of the first byte, and the length of a line with its line break. */
const FIRST_COLUMN = 8;
const LINE_CHARACTERS = FIRST_COLUMN + 3 * HEX_LINE_BYTES + 1 + HEX_LINE_BYTES + 1;

/** One line per eight bytes: offset, hexadecimal, and printable ASCII. */
export function hexDump(bytes: Uint8Array, offset = 0): string {
  const lines: string[] = [];
  for (let start = 0; start < bytes.length; start += HEX_LINE_BYTES) {
    const line = [...bytes.subarray(start, start + HEX_LINE_BYTES)];
    const numbers = line.map((byte) => byte.toString(16).padStart(2, "0")).join(" ");
    const text = line
      .map((byte) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : "."))
      .join("");
    const position = (offset + start).toString(16).padStart(6, "0");
    lines.push(`${position}  ${numbers.padEnd(3 * HEX_LINE_BYTES - 1)}  ${text}`);
  }
  return lines.join("\n");
}

/** The text ranges of bytes `start` to `end` in a `hexDump`, one per line. */
export function hexRanges(start: number, end: number): [start: number, end: number][] {
  const ranges: [number, number][] = [];
  for (let at = start; at < end; ) {
    const line = Math.floor(at / HEX_LINE_BYTES);
    const lineEnd = Math.min(end, (line + 1) * HEX_LINE_BYTES);
    const column = (byte: number) =>
      line * LINE_CHARACTERS + FIRST_COLUMN + 3 * (byte - line * HEX_LINE_BYTES);
    ranges.push([column(at), column(lineEnd) - 1]);
    at = lineEnd;
  }
  return ranges;
}
