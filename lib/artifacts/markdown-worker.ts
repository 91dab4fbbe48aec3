import { parentPort } from "node:worker_threads";
import { markdownToHtml } from "./markdown";

/** Replies to each text with its HTML, or null when it overflows the stack. */
parentPort?.on("message", (markdown: string) => {
  let html: string | null = null;
  try {
    html = markdownToHtml(markdown);
  } catch {} // nested too deeply
  parentPort?.postMessage(html);
});
