import { parentPort } from "node:worker_threads";
import { markdownToHtml } from "./markdown";

/** Answers each text with its HTML, or with null where it is beyond the thread's stack. */
parentPort?.on("message", (markdown: string) => {
  let html: string | null = null;
  try {
    html = markdownToHtml(markdown);
  } catch {} // nested too deeply: shown as it was written
  parentPort?.postMessage(html);
});
