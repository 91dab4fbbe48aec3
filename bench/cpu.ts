import { readdirSync, readFileSync } from "node:fs";

/** The unit of CPU time in Linux's /proc: a hundredth of a second. */
const TICK_MICROS = 10_000;

const PAGE_BYTES = 4096;

interface Process {
  pid: number;
  parent: number;
  ticks: number;
  pages: number;
}

/** The CPU time so far of a process and of all that it started, in microseconds. */
export function cpuMicrosOf(pid: number): number {
  return sumOf(pid, ({ ticks }) => ticks) * TICK_MICROS;
}

/** The resident memory of a process and of all that it started. */
export function megabytesOf(pid: number): number {
  return (sumOf(pid, ({ pages }) => pages) * PAGE_BYTES) / 1e6;
}

function sumOf(pid: number, value: (one: Process) => number): number {
  const processes = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap(read);
  const total = (one: Process): number =>
    processes
      .filter(({ parent }) => parent === one.pid)
      .reduce((sum, child) => sum + total(child), value(one));
  const root = processes.find((one) => one.pid === pid);
  return root ? total(root) : 0;
}

/** Empty when the process has just ended. */
function read(pid: string): Process[] {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    // utime, stime, and those of ended children
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return [{ pid: Number(pid), parent: Number(fields[1]), ticks, pages: Number(fields[21]) }];
  } catch {
    return [];
  }
}

/** The time that all CPUs have worked and could have worked so far, in microseconds. */
export function machineMicros(): { busy: number; total: number } {
  const [line = ""] = readFileSync("/proc/stat", "utf8").split("\n");
  const ticks = line.split(/ +/).slice(1, 9).map(Number);
  const total = ticks.reduce((sum, count) => sum + count, 0);
  const idle = (ticks[3] ?? 0) + (ticks[4] ?? 0);
  return { busy: (total - idle) * TICK_MICROS, total: total * TICK_MICROS };
}
