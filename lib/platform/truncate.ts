/** The first characters of a text, without splitting a surrogate pair. */
export function truncate(text: string, max: number): string {
  return text.length > max ? text.slice(0, max).replace(/[\uD800-\uDBFF]$/, "") : text;
}
