export type SearchParams = Record<string, string | string[] | undefined>;

/** The value of a query parameter. The last one wins, as in the API. */
export function queryParam(params: SearchParams, name: string): string | undefined {
  const value = params[name];
  return Array.isArray(value) ? value.at(-1) : value;
}

/** A path with these parameters; empty ones are left out. */
export function withQuery(
  path: string,
  params: Record<string, string | string[] | number | undefined>,
): string {
  const search = new URLSearchParams();
  for (const name of Object.keys(params)) {
    const value = params[name];
    const last = Array.isArray(value) ? value.at(-1) : value;
    if (last !== undefined && last !== "") search.set(name, String(last));
  }
  return search.size === 0 ? path : `${path}?${search}`;
}

/** The query parameters of a request, in the form that pages get. */
export function searchParamsOf(request: Request): SearchParams {
  return Object.fromEntries(new URL(request.url).searchParams);
}
