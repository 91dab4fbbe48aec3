import { readFileSync } from "node:fs";
import { Agent, request } from "node:http";

export interface Shot {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

export interface Result {
  perSecond: number;
  /** CPU time of the server process per request, in microseconds. */
  cpuMicros: number;
}

/**
 * Sends `count` requests over `connections` kept-alive connections to a server on this machine and
 * measures it; `pid` is the server's process. Any status of 400 or more ends the run.
 */
export async function load(
  target: { port: number; pid: number },
  shot: Shot,
  { count, connections }: { count: number; connections: number },
): Promise<Result> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  let left = count;
  const worker = async () => {
    while (left-- > 0) await fire(agent, target.port, shot);
  };
  const cpu = cpuMicrosOf(target.pid);
  const started = performance.now();
  await Promise.all(Array.from({ length: connections }, worker));
  const seconds = (performance.now() - started) / 1000;
  const used = cpuMicrosOf(target.pid) - cpu;
  agent.destroy();
  return { perSecond: count / seconds, cpuMicros: used / count };
}

export function fire(agent: Agent, port: number, shot: Shot): Promise<string> {
  const { method, path, headers, body } = shot;
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { agent, host: "127.0.0.1", port, method, path, headers },
      (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (chunk: string) => {
          text += chunk;
        });
        response.on("end", () =>
          (response.statusCode ?? 500) < 400
            ? resolve(text)
            : reject(new Error(`${method} ${path}: ${response.statusCode} ${text}`)),
        );
      },
    );
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

/** User and system time of a process so far, read from /proc (Linux only). */
export function cpuMicrosOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  const ticks = Number(fields[11]) + Number(fields[12]);
  return ticks * 10_000;
}
