import { setTimeout as pause } from "node:timers/promises";
import type { Fleet, Member } from "../soak/fleet";
import { type ApiResponse, type CallOptions, call, jsonOf } from "../support/http";
import { generator } from "../support/random";
import type { Call, Found, Log, Outcome } from "./log";

const ANSWER_MS_MAX = 40_000;

/** What the sessions of one run share. */
export interface World {
  seed: number;
  /** Tells apart the idempotency keys of runs on one database. */
  run: string;
  fleet: Fleet;
  log: Log;
  /** Of two organizations; most calls are made with the first. */
  keys: readonly [string, string];
  /** Where clients reach a server: a proxy that cuts connections. */
  urlOf(member: Member): string;
  isOver(): boolean;
}

interface Ask extends CallOptions {
  /** POST by default. */
  method?: string;
  path: string;
  /** What the log keeps of the request. */
  about?: Partial<Pick<Call, "value" | "id" | "lease" | "seconds" | "rank">>;
  find?: (response: ApiResponse) => Found[];
}

/** A client that makes one call at a time, and whose choices follow from the seed. */
export class Session {
  readonly world: World;
  readonly name: string;
  private readonly random: () => number;
  private count = 0;

  constructor(world: World, name: string) {
    this.world = world;
    this.name = name;
    const hash = [...name].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), world.seed);
    this.random = generator(hash);
  }

  get isOver(): boolean {
    return this.world.isOver();
  }

  chance(share: number): boolean {
    return this.random() < share;
  }

  /** A number from 0 to below `limit`. */
  pick(limit: number): number {
    return Math.floor(this.random() * limit);
  }

  /** A value that no other request has. */
  fresh(): string {
    this.count += 1;
    return `${this.name}-${this.count}`;
  }

  rest(milliseconds = 250): Promise<void> {
    return pause(milliseconds * (0.4 + 1.2 * this.random()));
  }

  /** Makes one call and records it. */
  async call(op: string, on: string, ask: Ask): Promise<Call> {
    const { method = "POST", path, about, find, ...options } = ask;
    const member = await this.world.fleet.pick();
    const { log, keys } = this.world;
    const entry = log.begin({ client: this.name, op, on, server: member.name, ...about });
    const answer = call(this.world.urlOf(member), method, path, { key: keys[0], ...options });
    const late = pause(ANSWER_MS_MAX, undefined, { ref: false }).then(() => undefined);
    try {
      const response = await Promise.race([answer, late]);
      if (!response) return log.end(entry, "unknown");
      const outcome = outcomeOf(response);
      const found = outcome === "ok" ? (find?.(response) ?? []) : [];
      return log.end(entry, outcome, { status: response.status, found });
    } catch {
      return log.end(entry, "unknown");
    }
  }

  /**
   * Makes a call with an `Idempotency-Key`, repeats it until its outcome is known or the run is over, and
   * sometimes sends it to two servers at once.
   */
  async once(op: string, on: string, ask: Ask): Promise<Call | undefined> {
    const value = ask.about?.value ?? this.fresh();
    const keyed: Ask = {
      ...ask,
      about: { ...ask.about, value },
      headers: { ...ask.headers, "Idempotency-Key": `${value}-${this.world.run}` },
    };
    for (;;) {
      const twins = this.chance(0.1) ? 2 : 1;
      const calls = await Promise.all(
        Array.from({ length: twins }, () => this.call(op, on, keyed)),
      );
      const known = calls.find(({ outcome }) => outcome === "ok");
      if (known ?? calls.every(({ outcome }) => outcome === "refused")) return known;
      if (this.isOver) return undefined;
      await this.rest(400);
    }
  }

  /** Reads all pages of a list until that succeeds, and records one call. */
  async list(op: string, on: string, path: string, find: (item: Item) => Found, key?: string) {
    const { log } = this.world;
    for (;;) {
      const entry = log.begin({ client: this.name, op, on });
      const found: Found[] = [];
      let next: string | null = "";
      while (next !== null) {
        const after: string = next ? `&after=${next}` : "";
        const page = await this.raw(`${path}limit=100${after}`, key).catch(() => undefined);
        if (page?.status !== 200) break;
        const { data, has_more, next_cursor } = jsonOf<Page>(page);
        found.push(...data.map(find));
        next = has_more ? next_cursor : null;
      }
      if (next === null) return log.end(entry, "ok", { found });
      log.end(entry, "unknown");
      await pause(200);
    }
  }

  private async raw(path: string, key = this.world.keys[0]): Promise<ApiResponse> {
    const member = await this.world.fleet.pick();
    return call(this.world.urlOf(member), "GET", path, { key });
  }
}

/** The fields of listed items that checks look at. */
interface Item {
  id: string;
  name: string;
  body: string;
  labels: string[];
  kind: string;
  action: string;
  resource_id: string;
  status: string;
  attempts: number;
  external_id: string;
}

interface Page {
  data: Item[];
  has_more: boolean;
  next_cursor: string | null;
}

function outcomeOf({ status, text }: ApiResponse): Outcome {
  if (status < 300) return "ok";
  return status >= 500 || text.includes("idempotency_in_progress") ? "unknown" : "refused";
}
