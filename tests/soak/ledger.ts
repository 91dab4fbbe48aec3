import { setTimeout as pause } from "node:timers/promises";

/** Long enough to kill the server midway. */
const CHECK_AFTER_MS = 20_000;
const CHECKERS = 8;

interface Entry {
  kind: string;
  what: string;
  due: number;
  /** Whether the write is stored. */
  check: () => Promise<boolean>;
}

/** What the servers acknowledged, and whether it was there some time later. */
export class Ledger {
  readonly acknowledged = new Map<string, number>();
  readonly lost: string[] = [];
  private readonly entries: Entry[] = [];
  private isClosed = false;

  /** Records an acknowledged write. `check` reads it again later, and may then delete it. */
  add(kind: string, what: string, check: () => Promise<boolean>) {
    this.count(kind);
    this.entries.push({ kind, what, due: performance.now() + CHECK_AFTER_MS, check });
  }

  /** Counts an acknowledged write that is checked elsewhere. */
  count(kind: string) {
    this.acknowledged.set(kind, (this.acknowledged.get(kind) ?? 0) + 1);
  }

  lose(kind: string, what: string) {
    this.lost.push(`${kind}: ${what}`);
    console.error(`Lost: ${kind} ${what}`);
  }

  get total(): number {
    return [...this.acknowledged.values()].reduce((sum, count) => sum + count, 0);
  }

  /** Checks entries as they are due, and all that are left once closed. */
  async run() {
    await Promise.all(Array.from({ length: CHECKERS }, () => this.check()));
  }

  close() {
    this.isClosed = true;
  }

  private async check() {
    for (;;) {
      const [next] = this.entries;
      if (!next && this.isClosed) return;
      if (!next || (next.due > performance.now() && !this.isClosed)) {
        await pause(100);
        continue;
      }
      this.entries.shift();
      if (!(await next.check())) this.lose(next.kind, next.what);
    }
  }
}
