interface RequestTarget {
  path: string;
  query_string: string;
}

export function pathBelowCaptureUrl({ path, query_string }: RequestTarget): string {
  const below = path.split("/").slice(4).join("/");
  const query = query_string === "" ? "" : `?${query_string}`;
  return below === "" ? query : `/${below}${query}`;
}
