import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { oncePerProcess } from "@/lib/process";

const THREADS = 2;
/** A million characters take about 2 s on a slow machine. */
const TIMEOUT_MS = 6000;
const WAITING_MAX = 16;
const MEMORY_MB = 256;

/** Worker threads and the requests waiting for one. */
interface ThreadPool {
  busy: number;
  idle: Worker[];
  waiting: Array<() => void>;
}

/**
 * Renders Markdown in a worker thread, since a pathological text would block the event loop.
 * Returns null when it takes too long, needs too much memory or nests too deeply. Throws
 * `Overloaded` when the queue is full.
 */
export async function renderInThread(markdown: string): Promise<string | null> {
  const threads = oncePerProcess(
    "artifacts.markdown-threads",
    (): ThreadPool => ({ busy: 0, idle: [], waiting: [] }),
  );
  if (threads.waiting.length >= WAITING_MAX) throw new Overloaded();
  if (threads.busy < THREADS) threads.busy += 1;
  else await new Promise<void>((resolve) => threads.waiting.push(resolve));
  const worker = threads.idle.pop() ?? startWorker(threads);
  try {
    const html = await renderWith(worker, markdown);
    threads.idle.push(worker);
    return html;
  } catch {
    await worker.terminate();
    return null;
  } finally {
    // A slot handed to the next waiter stays busy.
    const next = threads.waiting.shift();
    if (next) next();
    else threads.busy -= 1;
  }
}

export class Overloaded extends Error {}

function startWorker(threads: ThreadPool): Worker {
  // The build output. A path relative to the bundle would differ between platforms.
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

function renderWith(worker: Worker, markdown: string): Promise<string | null> {
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
      reject(new Error("Rendering failed."));
    };
    const timer = setTimeout(fail, TIMEOUT_MS);
    worker.on("message", answer).on("exit", fail);
    worker.postMessage(markdown);
  });
}
