/** The text as one word for a POSIX shell, quoted if necessary. */
export function shellWord(text: string): string {
  return /^[\w:/.,@%=+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
