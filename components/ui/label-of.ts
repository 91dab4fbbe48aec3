/** Returns the name of a field in words: "External ID" for "external_id". */
export function labelOf(name: string): string {
  const words = name.replaceAll("_", " ");
  return capitalized(words.replace(/\b(?:id|url)\b/g, (word) => word.toUpperCase()));
}

/** Returns the words with a capital first letter. */
export function capitalized(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
