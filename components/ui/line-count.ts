import { counted } from "@/lib/platform/counted";
/** "1 line", "10 lines": a line break at the end of a text begins no further line. */
export function lineCount(text: string): string {
  const count = text === "" ? 0 : text.replace(/\n$/, "").split("\n").length;
  return counted(count, "line");
}
