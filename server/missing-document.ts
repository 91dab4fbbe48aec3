import type { ServerResponse } from "node:http";
import { withoutScripts } from "@/lib/platform/http/plain-page";

const TEXT = withoutScripts({
  title: "There is no page here",
  sentences: [
    "The address may be mistyped, or what was there was deleted or belongs to another organization. IDs are case-sensitive.",
  ],
  links: [
    ["/dashboard", "Dashboard", "what your agents have made"],
    ["/docs", "Documentation", "guides and the reference"],
  ],
});

/** Begins Next's document for a page that calls `notFound()`, up to its empty body. */
const EMPTY = /id="__next_error__".*?<body>/s;

/** Next renders its 404 in the browser only. Adds a text for browsers without scripts. */
export function explainMissing(response: ServerResponse): void {
  const { write } = response;
  response.write = (...part: unknown[]) => {
    const [data] = part;
    if (response.statusCode === 404 && data instanceof Uint8Array) {
      // Keeps the bytes of a character that a later chunk completes.
      const html = Buffer.from(data).toString("latin1");
      part[0] = Buffer.from(html.replace(EMPTY, `$&${TEXT}`), "latin1");
    }
    return Reflect.apply(write, response, part);
  };
}
