import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { oncePerProcess } from "@/lib/process";

const THREADS = 2;
/** A document of a million characters takes about 2 s on a slow machine. */
const PATIENCE_MS = 6000;
const WAITING_MAX = 16;
const MEMORY_MB = 256;

/** Threads that render Markdown, and the texts that wait for one. */
interface Threads {
  busy: number;
  idle: Worker[];
  waiting: Array<() => void>;
}

/**
 * Renders Markdown beside the event loop, which a hard text would hold up for everybody. Gives null
 * when it takes too long, needs too much memory or nests too deeply. Throws `Overloaded` when too
 * many wait already.
 */
export async function renderInThread(markdown: string): Promise<string | null> {
  const threads = oncePerProcess(
    "artifacts.markdown-threads",
    (): Threads => ({ busy: 0, idle: [], waiting: [] }),
  );
  if (threads.waiting.length >= WAITING_MAX) throw new Overloaded();
  if (threads.busy < THREADS) threads.busy += 1;
  else await new Promise<void>((resolve) => threads.waiting.push(resolve));
  const worker = threads.idle.pop() ?? startWorker(threads);
  try {
    const html = await answerOf(worker, markdown);
    threads.idle.push(worker);
    return html;
  } catch {
    await worker.terminate();
    return null;
  } finally {
    // A turn that is handed on stays counted as busy.
    const next = threads.waiting.shift();
    if (next) next();
    else threads.busy -= 1;
  }
}

export class Overloaded extends Error {}

function startWorker(threads: Threads): Worker {
  // The build puts it there; a bundle's own idea of its place would be another on every platform.
  const file = join(
    /*turbopackIgnore: true*/ process.cwd(),
    "dist/lib/artifacts/markdown-worker.js",
  );
  const worker = new Worker(file, { resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB } });
  worker.on("error", () => {}); // an exit follows
  worker.on("exit", () => {
    threads.idle = threads.idle.filter((idle) => idle !== worker);
  });
  worker.unref();
  return worker;
}

function answerOf(worker: Worker, markdown: string): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const finish = () => {
      clearTimeout(timer);
      worker.off("message", answer).off("exit", fail);
    };
    const answer = (html: string | null) => {
      finish();
      resolve(html);
    };
    const fail = () => {
      finish();
      reject(new Error("The text could not be rendered."));
    };
    const timer = setTimeout(fail, PATIENCE_MS);
    worker.on("message", answer).on("exit", fail);
    worker.postMessage(markdown);
  });
}
