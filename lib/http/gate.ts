import { config } from "@/lib/config/config";
import { ApiError } from "@/lib/errors";
import { networkOf } from "./sliding-window";

export interface GateLimits {
  running: number;
  /** Like the next three, in public mode only. */
  runningPerNetwork: number;
  waiting: number;
  waitingPerNetwork: number;
  /** A longer wait is refused. */
  waitMsMax: number;
  /** A longer turn no longer counts, so that nothing can keep it for good. */
  turnMsMax: number;
  /** The message of a refusal. */
  message: string;
}

const RETRY_AFTER_SECONDS = 2;

/** Who asks for a turn. */
interface Asked {
  address: string | null;
  /** Aborts when the client disconnects. */
  signal?: AbortSignal;
  /** The next part of a response that has begun: it waits as long as it takes. */
  isUnderWay?: boolean;
}

interface Turn {
  network: string;
  begin(): void;
}

/**
 * Runs expensive work a few at a time, and the rest in turn: next is the network with the least
 * running, and of those the one that had its last turn longest ago. What finds no room in the queue,
 * or waits too long in it, is refused with 429 `rate_limited` and `Retry-After`.
 */
export class Gate {
  readonly #limits: GateLimits;
  readonly #waiting = new Set<Turn>();
  readonly #running = new Set<Turn>();
  /** When each network with work here had its last turn. */
  readonly #lastTurns = new Map<string, number>();
  #turns = 0;

  constructor(limits: GateLimits) {
    this.#limits = limits;
  }

  /**
   * Runs `work` in a turn that ends with the work, even if the client disconnects meanwhile, since its
   * statement still runs.
   */
  async run<T>(asked: Asked, work: () => Promise<T>): Promise<T> {
    const end = await this.#turn(asked);
    try {
      return await work();
    } finally {
      end();
    }
  }

  /** Waits for a turn that lasts until the returned function is called or `signal` aborts. */
  async enter(address: string | null, signal: AbortSignal): Promise<() => void> {
    const end = await this.#turn({ address, signal });
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
    return end;
  }

  #turn({ address, signal, isUnderWay = false }: Asked): Promise<() => void> {
    const { waiting, waitingPerNetwork, waitMsMax, turnMsMax } = this.#limits;
    const isLimited = !isUnderWay && !config().localMode;
    const network = networkOf(address);
    return new Promise((resolve, reject) => {
      const refuse = () => {
        this.#end(turn);
        stopWaiting();
        reject(this.#refusal());
      };
      const timer = isLimited ? setTimeout(refuse, waitMsMax) : undefined;
      const stopWaiting = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", refuse);
      };
      const turn: Turn = {
        network,
        begin: () => {
          stopWaiting();
          const end = () => {
            clearTimeout(limit);
            this.#end(turn);
          };
          const limit = setTimeout(end, turnMsMax).unref();
          resolve(end);
        },
      };
      const isFull =
        isLimited &&
        (this.#waiting.size >= waiting || countOf(this.#waiting, network) >= waitingPerNetwork);
      if (signal?.aborted || isFull) return refuse();
      signal?.addEventListener("abort", refuse, { once: true });
      this.#waiting.add(turn);
      this.#beginNext();
    });
  }

  #refusal() {
    return new ApiError("rate_limited", this.#limits.message, {
      headers: { "Retry-After": String(RETRY_AFTER_SECONDS) },
    });
  }

  #end(turn: Turn) {
    this.#waiting.delete(turn);
    this.#running.delete(turn);
    const { network } = turn;
    if (countOf(this.#waiting, network) + countOf(this.#running, network) === 0) {
      this.#lastTurns.delete(network);
    }
    this.#beginNext();
  }

  #beginNext() {
    while (this.#running.size < this.#limits.running) {
      const next = this.#next();
      if (!next) return;
      this.#waiting.delete(next);
      this.#running.add(next);
      this.#turns += 1;
      this.#lastTurns.set(next.network, this.#turns);
      next.begin();
    }
  }

  #next(): Turn | undefined {
    const max = config().localMode ? this.#limits.running : this.#limits.runningPerNetwork;
    let first: { turn: Turn; running: number; lastTurn: number } | undefined;
    for (const turn of this.#waiting) {
      const running = countOf(this.#running, turn.network);
      const lastTurn = this.#lastTurns.get(turn.network) ?? 0;
      const isEarlier =
        !first ||
        running < first.running ||
        (running === first.running && lastTurn < first.lastTurn);
      if (running < max && isEarlier) first = { turn, running, lastTurn };
    }
    return first?.turn;
  }
}

function countOf(turns: ReadonlySet<Turn>, network: string): number {
  let count = 0;
  for (const turn of turns) if (turn.network === network) count += 1;
  return count;
}
