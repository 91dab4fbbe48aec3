import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { Nodes } from "hast";
import { oncePerProcess } from "@/lib/platform/process";

const THREADS = 2;
/** A million characters take about 2 s on a slow machine. */
export const TIMEOUT_MS = 6000;
const WAITING_MAX = 16;
const MEMORY_MB = 256;

export interface Rendered {
  html: string;
  tree: Nodes;
}

export interface RenderRequest {
  markdown: string;
  as: keyof Rendered;
}

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
export async function renderInThread<As extends keyof Rendered>(
  markdown: string,
  as: As,
): Promise<Rendered[As] | null> {
  const threads = oncePerProcess(
    "artifacts.markdown-threads",
    (): ThreadPool => ({ busy: 0, idle: [], waiting: [] }),
  );
  if (threads.waiting.length >= WAITING_MAX) throw new Overloaded();
  if (threads.busy < THREADS) threads.busy += 1;
  else await new Promise<void>((resolve) => threads.waiting.push(resolve));
  const worker = threads.idle.pop() ?? startWorker(threads);
  try {
    const rendered = await renderWith<Rendered[As]>(worker, { markdown, as });
    threads.idle.push(worker);
    return rendered;
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
    "dist/lib/resources/artifacts/markdown-worker.js",
  );
  const worker = new Worker(file, { resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB } });
  worker.on("error", () => {}); // an exit follows
  worker.on("exit", () => {
    threads.idle = threads.idle.filter((idle) => idle !== worker);
  });
  worker.unref();
  return worker;
}

function renderWith<Result>(worker: Worker, request: RenderRequest): Promise<Result | null> {
  return new Promise((resolve, reject) => {
    const finish = () => {
      clearTimeout(timer);
      worker.off("message", succeed).off("exit", fail);
    };
    const succeed = (rendered: Result | null) => {
      finish();
      resolve(rendered);
    };
    const fail = () => {
      finish();
      reject(new Error("Rendering failed."));
    };
    const timer = setTimeout(fail, TIMEOUT_MS);
    worker.on("message", succeed).on("exit", fail);
    worker.postMessage(request);
  });
}
