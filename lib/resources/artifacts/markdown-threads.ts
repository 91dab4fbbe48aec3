import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { Gate } from "@/lib/platform/limits/gate";
import { oncePerProcess } from "@/lib/platform/process";
import type { Tree } from "./markdown";

const THREADS = 2;
/** A million characters take about 2 s on a slow machine. */
export const TIMEOUT_MS = 6000;
const WAITING_MAX = 16;
const MEMORY_MB = 256;

export interface Rendered {
  html: string;
  tree: Tree;
}

export interface RenderRequest {
  markdown: string;
  as: keyof Rendered;
}

const idle = oncePerProcess("artifacts.markdown-threads", () => new Set<Worker>());

/** One network can keep one thread busy, with texts that take as long as they may. */
const gate = oncePerProcess(
  "artifacts.markdown-gate",
  () =>
    new Gate({
      running: THREADS,
      runningPerNetwork: THREADS - 1,
      waiting: WAITING_MAX,
      waitingPerNetwork: WAITING_MAX / 4,
      waitMsMax: 2 * TIMEOUT_MS,
      turnMsMax: 2 * TIMEOUT_MS,
      message: "Too many documents are being rendered. Try again in a moment.",
    }),
);

/**
 * Renders Markdown for the client with this address, in a worker thread, since a pathological text
 * would block the event loop. Returns null when it takes too long, needs too much memory, or
 * makes too deep or too large a tree. Throws 429 `rate_limited` when too many wait. Calls `onTurn`
 * when its turn has come.
 */
export function renderInThread<As extends keyof Rendered>(
  markdown: string,
  as: As,
  address: string | null,
  onTurn: () => void,
): Promise<Rendered[As] | null> {
  return gate.run({ address }, async () => {
    onTurn();
    const [worker = startWorker()] = idle;
    idle.delete(worker);
    try {
      const rendered = await renderWith<Rendered[As]>(worker, { markdown, as });
      idle.add(worker);
      return rendered;
    } catch {
      await worker.terminate();
      return null;
    }
  });
}

function startWorker(): Worker {
  // The build output. A path relative to the bundle would differ between platforms.
  const file = join(
    /*turbopackIgnore: true*/ process.cwd(),
    "dist/lib/resources/artifacts/markdown-worker.js",
  );
  const worker = new Worker(file, { resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB } });
  worker.on("error", () => {}); // an exit follows
  worker.on("exit", () => idle.delete(worker));
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
