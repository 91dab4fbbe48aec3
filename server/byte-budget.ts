import { rateLimited, unavailable } from "@/lib/platform/errors";
import { increment } from "@/lib/platform/increment";

export interface BudgetLimits {
  total: number;
  perHolder: number;
}

/** Bytes in memory, in total and per holder. */
export class ByteBudget {
  readonly #limits: BudgetLimits;
  readonly #byHolder = new Map<string, number>();
  #held = 0;

  constructor(limits: BudgetLimits) {
    this.#limits = limits;
  }

  /** Throws 429 if this holder has too many bytes in memory, and 503 if all together have. */
  assert(holder: string, bytes: number, messages: { holder: string; total: string }): void {
    const shortage = this.shortage(holder, bytes);
    if (shortage === "holder") throw rateLimited(messages.holder, 5);
    if (shortage) throw unavailable(messages.total);
  }

  /** The limit that another `bytes` would exceed, if any. */
  shortage(holder: string, bytes: number): "holder" | "total" | undefined {
    if ((this.#byHolder.get(holder) ?? 0) + bytes > this.#limits.perHolder) return "holder";
    return this.#held + bytes > this.#limits.total ? "total" : undefined;
  }

  take(holder: string, bytes: number): void {
    this.#held += bytes;
    increment(this.#byHolder, holder, bytes);
  }

  release(holder: string, bytes: number): void {
    this.take(holder, -bytes);
  }
}
