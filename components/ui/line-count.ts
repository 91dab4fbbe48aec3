/** "1 line", "10 lines": a line break at the end of a text begins no further line. */
export function lineCount(text: string): string {
  const count = text === "" ? 0 : text.replace(/\n$/, "").split("\n").length;
  return count === 1 ? "1 line" : `${count.toLocaleString("en")} lines`;
}
