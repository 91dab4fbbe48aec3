import { truncate } from "@/components/ui/truncate";

const LINE_MAX = 160;

interface Words {
  path: string;
  query_string: string;
}

/** The path and query below the capture URL, which tell one request from the next. */
export function pathBelowCaptureUrl({ path, query_string }: Words): string {
  const below = path.split("/").slice(4).join("/");
  const query = query_string === "" ? "" : `?${query_string}`;
  return below === "" ? query : `/${below}${query}`;
}

/** One line of a body. `start` is its beginning, null for binary data. */
export function bodyPreview(start: string | null): string {
  if (start === null) return "bytes that are no text";
  const text = start.trimStart();
  // Laid-out JSON begins with a line that says nothing.
  const line = /^[{[]/.test(text) ? text.replace(/\s+/g, " ") : (text.split("\n", 1)[0] ?? "");
  return truncate(line, LINE_MAX);
}
