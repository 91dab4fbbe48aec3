import { LARGE_NETWORK_FACTOR, networkOf } from "@/lib/platform/addresses";
import { config } from "@/lib/platform/config/config";
import { rateLimited } from "@/lib/platform/errors";
import { increment } from "@/lib/platform/increment";

interface GateLimits {
  running: number;
  /** How many more may run, each in the place of one that waits for something else. */
  aside?: number;
  /** This limit and the next three apply in public mode only. */
  runningPerNetwork: number;
  waiting: number;
  waitingPerNetwork: number;
  /** A request that waits longer is refused. */
  waitMsMax: number;
  /** A turn that takes longer no longer counts, so that nothing can hold it forever. */
  turnMsMax: number;
  /** The error message of a refusal. */
  message: string;
}

const RETRY_AFTER_SECONDS = 2;

/** A request for a turn. */
interface Asked {
  address: string | null;
  /** Aborts when the client disconnects. */
  signal?: AbortSignal;
  /** True for a later part of a response that has begun, which may wait as long as it takes. */
  isUnderWay?: boolean;
}

interface Turn {
  network: string;
  /** The IPv6 /48 of the network; the network itself for IPv4. */
  site: string;
  /** Whether it may be refused. */
  isLimited: boolean;
  /** How many parts of its work wait for something else. */
  asides: number;
  begin(): void;
  refuse(): void;
}

/** A turn that has begun. */
export interface Entered {
  end(): void;
  /** Runs a part of its work that only waits. Until that ends, another network may use its place. */
  aside<T>(work: () => Promise<T>): Promise<T>;
}

/**
 * Runs a few pieces of expensive work at a time and queues the rest. The next turn goes to the site
 * with the fewest running, and among those to the one whose last turn was longest ago. Work that
 * finds no room in the queue, gives way to another site's, or waits too long is refused with 429
 * `rate_limited` and `Retry-After`.
 */
export class Gate {
  readonly #limits: GateLimits;
  readonly #waiting = new Set<Turn>();
  readonly #running = new Set<Turn>();
  /** When each site with work here last had a turn. */
  readonly #lastTurns = new Map<string, number>();
  #turns = 0;

  constructor(limits: GateLimits) {
    this.#limits = limits;
  }

  /** Runs `work` in a turn that ends with it, even if the client has left, since its statement keeps running. */
  async run<T>(asked: Asked, work: () => Promise<T>): Promise<T> {
    const { end } = await this.#turn(asked);
    try {
      return await work();
    } finally {
      end();
    }
  }

  /** Waits for a turn that lasts until its `end` is called. Refused if `signal` aborts before it begins. */
  enter(address: string | null, signal: AbortSignal): Promise<Entered> {
    return this.#turn({ address, signal });
  }

  #turn({ address, signal, isUnderWay = false }: Asked): Promise<Entered> {
    const { waitMsMax, turnMsMax } = this.#limits;
    const isLimited = !isUnderWay && !config().localMode;
    const [network, site] = [networkOf(address), networkOf(address, 48)];
    return new Promise((resolve, reject) => {
      const refuse = () => {
        this.#end(turn);
        stopWaiting();
        reject(rateLimited(this.#limits.message, RETRY_AFTER_SECONDS));
      };
      const timer = isLimited ? setTimeout(refuse, waitMsMax) : undefined;
      const stopWaiting = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", refuse);
      };
      const turn: Turn = {
        network,
        site,
        isLimited,
        asides: 0,
        refuse,
        begin: () => {
          stopWaiting();
          const end = () => {
            clearTimeout(limit);
            this.#end(turn);
          };
          const limit = setTimeout(end, turnMsMax).unref();
          resolve({ end, aside: (work) => this.#aside(turn, work) });
        },
      };
      if (signal?.aborted || (isLimited && !this.#makesRoom(network, site))) return refuse();
      signal?.addEventListener("abort", refuse, { once: true });
      this.#waiting.add(turn);
      this.#beginNext();
    });
  }

  async #aside<T>(turn: Turn, work: () => Promise<T>): Promise<T> {
    turn.asides += 1;
    this.#beginNext();
    try {
      return await work();
    } finally {
      turn.asides -= 1;
    }
  }

  /**
   * Whether the queue has room for another. If it is full, the newest turn of the site with the most
   * gives way to one of a site with fewer. Responses under way do not count here: their connections
   * are limited already.
   */
  #makesRoom(network: string, site: string): boolean {
    const { waiting, waitingPerNetwork } = this.#limits;
    const limited = new Set([...this.#waiting].filter(({ isLimited }) => isLimited));
    const own = countOf(limited, { site });
    if (
      countOf(limited, { network }) >= waitingPerNetwork ||
      own >= waitingPerNetwork * LARGE_NETWORK_FACTOR
    ) {
      return false;
    }
    if (limited.size < waiting) return true;
    const counts = new Map<string, number>();
    for (const turn of limited) increment(counts, turn.site, 1);
    const most = Math.max(...counts.values());
    if (most <= own) return false;
    [...limited].findLast((turn) => counts.get(turn.site) === most)?.refuse();
    return true;
  }

  #end(turn: Turn) {
    this.#waiting.delete(turn);
    this.#running.delete(turn);
    const { site } = turn;
    if (countOf(this.#waiting, { site }) + countOf(this.#running, { site }) === 0) {
      this.#lastTurns.delete(site);
    }
    this.#beginNext();
  }

  #beginNext() {
    const { running, aside = 0 } = this.#limits;
    for (;;) {
      const waiting = [...this.#running].filter(({ asides }) => asides > 0).length;
      if (this.#running.size - Math.min(waiting, aside) >= running) return;
      const next = this.#next();
      if (!next) return;
      this.#waiting.delete(next);
      this.#running.add(next);
      this.#turns += 1;
      this.#lastTurns.set(next.site, this.#turns);
      next.begin();
    }
  }

  #next(): Turn | undefined {
    const max = config().localMode ? Number.POSITIVE_INFINITY : this.#limits.runningPerNetwork;
    let first: { turn: Turn; running: number; lastTurn: number } | undefined;
    for (const turn of this.#waiting) {
      const { network, site } = turn;
      const running = countOf(this.#running, { site });
      const lastTurn = this.#lastTurns.get(site) ?? 0;
      const isEarlier =
        !first ||
        running < first.running ||
        (running === first.running && lastTurn < first.lastTurn);
      const mayRun = countOf(this.#running, { network }) < max;
      if (mayRun && isEarlier) first = { turn, running, lastTurn };
    }
    return first?.turn;
  }
}

function countOf(turns: ReadonlySet<Turn>, of: { network: string } | { site: string }): number {
  let count = 0;
  for (const turn of turns) {
    if ("site" in of ? turn.site === of.site : turn.network === of.network) count += 1;
  }
  return count;
}
