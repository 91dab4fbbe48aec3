import { networkOf } from "@/lib/platform/addresses";
import { config } from "@/lib/platform/config/config";
import type { BudgetLimits, ByteBudget } from "./byte-budget";

const MB = 1_000_000;
/** Smaller bodies are not counted, so that they are served while large ones fill the budget. */
const FREE_BYTES = 16_384;
/** Node's overhead per chunk; a body may arrive byte by byte. */
const CHUNK_OVERHEAD_BYTES = 256;

/** The memory budget of a process for request bodies; responses have another of the same size. */
export function memoryLimits(): BudgetLimits {
  return config().localMode
    ? { total: 512 * MB, perHolder: Number.POSITIVE_INFINITY }
    : { total: 128 * MB, perHolder: 32 * MB };
}

/** A client's request body in memory, which counts against a budget until its response is ready. */
export class HeldBody {
  readonly #budget: ByteBudget;
  readonly #address: string;
  #received = 0;
  #counted = 0;

  constructor(budget: ByteBudget, address: string) {
    this.#budget = budget;
    this.#address = address;
  }

  /** Throws 429 if this client has too many bytes in memory, and 503 if all together have. */
  add(bytes: number): void {
    this.#received += bytes + CHUNK_OVERHEAD_BYTES;
    const more = this.#received - FREE_BYTES - this.#counted;
    if (more <= 0) return;
    const holder = networkOf(this.#address);
    this.#budget.assert(holder, more, TOO_MUCH);
    this.#budget.take(holder, more);
    this.#counted += more;
  }

  release(): void {
    if (this.#counted > 0) this.#budget.release(networkOf(this.#address), this.#counted);
    this.#counted = 0;
  }
}

const TOO_MUCH = {
  holder: "Too many large requests from this address at once.",
  total: "Too many large requests at once. Try again.",
};
