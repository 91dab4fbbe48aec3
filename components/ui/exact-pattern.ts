/** A pattern that only this text matches. Browsers compile that of an input with the `v` flag. */
export function exactPattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}
