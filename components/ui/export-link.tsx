interface Props {
  /** Its path in the API, without `/api/`. */
  list: string;
  /** The API's filters of the list. */
  filters?: Record<string, string | readonly string[] | undefined> | undefined;
}

/** Downloads all of a list as a file of JSON lines. */
export function ExportLink({ list, filters = {} }: Props) {
  const search = new URLSearchParams();
  for (const [name, values] of Object.entries(filters)) {
    for (const value of [values ?? []].flat()) search.append(name, value);
  }
  return (
    <a
      href={`/export/${list}${search.size > 0 ? `?${search}` : ""}`}
      download
      title="Download all as JSON lines"
      className="button"
    >
      Export
    </a>
  );
}
