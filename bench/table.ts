import { loadavg } from "node:os";
import type { Figure } from "./compare";
import { cpuMicrosOf, machineMicros } from "./cpu";

/** The rows of the run, printed as they come. */
export class Table {
  readonly lines = [
    "| Per second | Here | Beside | | Ratio | CPU µs | With the store | Saved | Load |",
    "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
  ];
  #since = { machine: machineMicros(), own: cpuMicrosOf(process.pid) };

  constructor() {
    for (const line of this.lines) console.log(line);
  }

  /** Compares figures of one run. */
  row(what: string, here: Figure | undefined, beside: Figure | undefined) {
    if (!here || !beside) throw new Error(`${what} was not measured.`);
    const ratio = here.perSecond / beside.perSecond;
    this.#add([
      what,
      whole(here.perSecond),
      whole(beside.perSecond),
      beside.name,
      `${ratio.toFixed(2)}×`,
      `${whole(here.micros)} / ${whole(beside.micros)}`,
      `${whole(here.storedMicros)} / ${whole(beside.storedMicros)}`,
      `${(beside.storedMicros / here.storedMicros).toFixed(2)}×`,
    ]);
  }

  /** Compares figures of which the smaller is better. */
  smaller(what: string, here: number, beside: number, name: string) {
    const ratio = `${(beside / here).toFixed(2)}×`;
    this.#add([what, whole(here), whole(beside), name, ratio, "", "", ""]);
  }

  /** A peer that cannot be measured on this machine, with the reason. */
  missing(what: string, here: Figure | undefined, reason: string) {
    const { perSecond = 0, micros = 0, storedMicros = 0 } = here ?? {};
    this.#add([what, whole(perSecond), "–", reason, "–", whole(micros), whole(storedMicros), "–"]);
  }

  /** A figure without a peer. */
  single(what: string, perSecond: number) {
    this.#add([what, whole(perSecond), "", "", "", "", "", ""]);
  }

  #add(cells: string[]) {
    const line = `| ${[...cells, this.#load()].join(" | ")} |`;
    this.lines.push(line);
    console.log(line);
  }

  /** The load average, and the share of the machine that other processes used since the last row. */
  #load(): string {
    const now = { machine: machineMicros(), own: cpuMicrosOf(process.pid) };
    const total = now.machine.total - this.#since.machine.total;
    const busy = now.machine.busy - this.#since.machine.busy;
    const others = total === 0 ? 0 : Math.max(busy - (now.own - this.#since.own), 0) / total;
    // Rows of one comparison follow each other at once.
    if (total > 1_000_000) {
      this.#since = now;
      this.#shown = `${loadavg()[0]?.toFixed(1)}, others ${Math.round(others * 100)} %`;
    }
    return this.#shown;
  }

  #shown = "";
}

/** "1 connection", "16 connections" */
export function onConnections(count: number): string {
  return count === 1 ? "1 connection" : `${count} connections`;
}

function whole(value: number): string {
  return value < 10 ? value.toFixed(1) : value.toFixed(0);
}
