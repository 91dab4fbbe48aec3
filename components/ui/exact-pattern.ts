/** An input's `pattern` that only this text matches. Browsers compile it with the `v` flag. */
export function exactPattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}
