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

/** What has work here: the turns of a network, or the networks of a site, in the order of their last turns. */
interface Network {
  running: number;
  waiting: Set<Turn>;
}
interface Site {
  running: number;
  networks: Map<string, Network>;
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
  /** The sites that have had no turn yet. */
  readonly #fresh = new Map<string, Site>();
  /** The others, in the order of their last turns. */
  readonly #served = new Map<string, Site>();

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
      this.#placeOf(turn).network.waiting.add(turn);
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

  #placeOf({ site: of, network: name }: Turn): { site: Site; network: Network } {
    const known = this.#fresh.get(of) ?? this.#served.get(of);
    const site = known ?? { running: 0, networks: new Map<string, Network>() };
    const network = site.networks.get(name) ?? { running: 0, waiting: new Set<Turn>() };
    site.networks.set(name, network);
    if (!known) this.#fresh.set(of, site);
    return { site, network };
  }

  #end(turn: Turn) {
    const wasRunning = this.#running.delete(turn);
    if (!wasRunning && !this.#waiting.delete(turn)) return;
    const { site, network } = this.#placeOf(turn);
    if (wasRunning) {
      site.running -= 1;
      network.running -= 1;
    } else network.waiting.delete(turn);
    if (network.running + network.waiting.size === 0) site.networks.delete(turn.network);
    if (site.networks.size === 0) {
      this.#fresh.delete(turn.site);
      this.#served.delete(turn.site);
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
      const { site, network } = this.#placeOf(next);
      this.#waiting.delete(next);
      this.#running.add(next);
      network.waiting.delete(next);
      network.running += 1;
      site.running += 1;
      moveToEnd(site.networks, next.network, network);
      this.#fresh.delete(next.site);
      moveToEnd(this.#served, next.site, site);
      next.begin();
    }
  }

  /** However many wait, passes over no more sites and networks than run. */
  #next(): Turn | undefined {
    const max = config().localMode ? Number.POSITIVE_INFINITY : this.#limits.runningPerNetwork;
    let fewest = Number.POSITIVE_INFINITY;
    let next: Turn | undefined;
    for (const sites of [this.#fresh, this.#served]) {
      for (const { running, networks } of sites.values()) {
        if (running >= fewest) continue;
        for (const network of networks.values()) {
          const [first] = network.waiting;
          if (!first || network.running >= max) continue;
          if (running === 0) return first;
          fewest = running;
          next = first;
          break;
        }
      }
    }
    return next;
  }
}

function moveToEnd<Value>(values: Map<string, Value>, name: string, value: Value) {
  values.delete(name);
  values.set(name, value);
}

function countOf(turns: ReadonlySet<Turn>, of: { network: string } | { site: string }): number {
  let count = 0;
  for (const turn of turns) {
    if ("site" in of ? turn.site === of.site : turn.network === of.network) count += 1;
  }
  return count;
}
