/** A curl command that works in any POSIX shell. */
export function curl(
  url: string,
  options: { method?: string; key?: boolean; body?: unknown } = {},
) {
  const { method, key = true, body } = options;
  return [
    "curl",
    method && `-X ${method}`,
    shellWord(url),
    key && '-H "Authorization: Bearer $API_KEY"',
    body !== undefined && `-d ${shellWord(JSON.stringify(body))}`,
  ]
    .filter(Boolean)
    .join(" ");
}

/** The text as one shell word, quoted if necessary. */
export function shellWord(text: string): string {
  return /^[\w:/.,@%=+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
