/** The first characters of a text; a pair that stands for one character is never cut in two. */
export function truncate(text: string, max: number): string {
  return text.slice(0, max).replace(/[\uD800-\uDBFF]$/, "");
}
