import { parentPort } from "node:worker_threads";
import { markdownToHtml, markdownToTree } from "./markdown";
import type { Rendered, RenderRequest } from "./markdown-threads";

/** Replies to each text with its HTML or tree, or null if that is too deep or too large. */
parentPort?.on("message", ({ markdown, as }: RenderRequest) => {
  let rendered: Rendered[typeof as] | null = null;
  try {
    rendered = as === "html" ? markdownToHtml(markdown) : markdownToTree(markdown);
  } catch {}
  parentPort?.postMessage(rendered);
});
