interface Filter {
  method?: string | null | undefined;
  q?: string | null | undefined;
  header?: string | null | undefined;
}

/** A filter of events in words, such as "POST events with “order”". */
export function filterText({ method, q, header }: Filter): string {
  const conditions = [
    q ? `with “${q}” in body or path` : "",
    header ? `with the header “${header}”` : "",
  ].filter(Boolean);
  const events = method ? `${method} events` : "events";
  return ["All", events, ...conditions].join(" ");
}
