import { readdirSync, readFileSync } from "node:fs";

/** What Linux's /proc tells about CPU time; its unit is a hundredth of a second. */
const TICK_MICROS = 10_000;

interface Process {
  pid: number;
  parent: number;
  ticks: number;
}

/** The CPU time so far of a process and of all that it started, in microseconds. */
export function cpuMicrosOf(pid: number): number {
  const processes = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap(read);
  const total = (one: Process): number =>
    processes
      .filter(({ parent }) => parent === one.pid)
      .reduce((sum, child) => sum + total(child), one.ticks);
  const root = processes.find((one) => one.pid === pid);
  return root ? total(root) * TICK_MICROS : 0;
}

/** Empty when the process has just ended. */
function read(pid: string): Process[] {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    // utime, stime, and those of ended children
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return [{ pid: Number(pid), parent: Number(fields[1]), ticks }];
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
