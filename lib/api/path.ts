/**
 * The parameters of `path` if it matches a template such as /api/tasks/{id} or, with `subpaths`,
 * lies below one. Ignores a trailing slash. Undecodable segments are kept as they are, since no ID
 * looks like that.
 */
export function matchPath(
  template: string,
  path: string,
  { subpaths }: { subpaths?: boolean },
): Record<string, string> | undefined {
  const wanted = template.split("/");
  const given = (path.endsWith("/") ? path.slice(0, -1) : path).split("/");
  if (subpaths ? given.length < wanted.length : given.length !== wanted.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const value = given[index] ?? "";
    if (part.startsWith("{")) params[part.slice(1, -1)] = decode(value);
    else if (part !== value) return undefined;
  }
  return params;
}

function decode(segment: string): string {
  try {
    const decoded = decodeURIComponent(segment);
    return decoded.includes("\0") ? segment : decoded;
  } catch {
    return segment;
  }
}
