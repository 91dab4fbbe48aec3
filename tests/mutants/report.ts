import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import type { Verdict } from "./copy";
import type { Areas, Mutant } from "./mutant";

/** A line of a report. */
interface Line extends Verdict {
  area: string;
  name: string;
  commit: string;
  time: string;
}

/** Verdicts in a file, one a line as JSON. The last one of a mutant counts. */
export class Report {
  readonly #file: string;
  readonly #lines: Map<string, Line>;
  readonly #commit = execFileSync("git", ["describe", "--always", "--dirty"], { encoding: "utf8" });

  constructor(file: string) {
    this.#file = file;
    const text = existsSync(file) ? readFileSync(file, "utf8") : "";
    const lines: Line[] = text
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));
    this.#lines = new Map(lines.map((line) => [line.name, line]));
  }

  add({ area, name }: Mutant & { area: string }, verdict: Verdict): void {
    const [commit, time] = [this.#commit.trim(), new Date().toISOString()];
    const line = { area, name, ...verdict, commit, time };
    this.#lines.set(name, line);
    appendFileSync(this.#file, `${JSON.stringify(line)}\n`);
  }

  /** Whether nothing is left to find out: it was killed, or survived for a reason. */
  isDone({ name, reason }: Mutant): boolean {
    const kind = this.#lines.get(name)?.kind;
    return kind === "killed" || (kind === "survived" && reason !== undefined);
  }

  /** The counts of each area as rows of a table: all, killed, survived for a reason, others. */
  table(areas: Areas): string {
    const rows = Object.entries(areas).map(([area, mutants]) => {
      const killed = mutants.filter(({ name }) => this.#lines.get(name)?.kind === "killed");
      const done = mutants.filter((mutant) => this.isDone(mutant));
      const counts = [killed.length, done.length - killed.length, mutants.length - done.length];
      return `| ${[area, mutants.length, ...counts].join(" | ")} |`;
    });
    return rows.join("\n");
  }
}
