import { setTimeout as pause } from "node:timers/promises";
import { type ApiResponse, type CallOptions, call } from "../support/http";
import type { Fleet } from "./fleet";

const RETRY_MS = 200;
const FAILURES_KEPT = 20;
/** The longest that a response may take. */
const RESPONSE_MS_MAX = 10_000;

/** Sends requests to the fleet, and counts how they end. */
export class Client {
  readonly counts = { answered: 0, unavailable: 0, cut: 0, failed: 0 };
  slowestMs = 0;
  /** The first of the failed ones. */
  readonly failures: string[] = [];
  private readonly fleet: Fleet;
  private readonly key: string;

  constructor(fleet: Fleet, key: string) {
    this.fleet = fleet;
    this.key = key;
  }

  /**
   * The response, if it has one of the expected statuses. Undefined for 503, for a connection that a
   * kill cut, and for failures.
   */
  async send(
    method: string,
    path: string,
    expected: readonly number[],
    { waitMs = 0, ...options }: CallOptions & { waitMs?: number } = {},
  ): Promise<ApiResponse | undefined> {
    const member = await this.fleet.pick();
    const began = performance.now();
    const what = `${method} ${path} at ${member.name}`;
    try {
      const response = await call(member.server.baseUrl, method, path, {
        key: this.key,
        ...options,
      });
      const ms = performance.now() - began - waitMs;
      this.slowestMs = Math.max(this.slowestMs, ms);
      if (ms > RESPONSE_MS_MAX) this.fail(`${what}: ${Math.round(ms)} ms`);
      else if (expected.includes(response.status)) {
        this.counts.answered += 1;
        return response;
      } else if (response.status === 503) this.counts.unavailable += 1;
      else this.fail(`${what}: ${response.status} ${response.text.slice(0, 300)}`);
    } catch (error) {
      if (member.wasKilledSince(began)) this.counts.cut += 1;
      else this.fail(`${what}: ${error} after ${Math.round(performance.now() - began)} ms`);
    }
    return undefined;
  }

  /** Sends a request that may be repeated until it is answered. */
  async persist(
    method: string,
    path: string,
    expected: readonly number[],
    options: CallOptions = {},
  ): Promise<ApiResponse> {
    for (;;) {
      const failed = this.counts.failed;
      const response = await this.send(method, path, expected, options);
      if (response) return response;
      if (this.counts.failed > failed + FAILURES_KEPT) throw new Error(this.failures.join("\n"));
      await pause(RETRY_MS);
    }
  }

  fail(what: string) {
    this.counts.failed += 1;
    if (this.failures.length < FAILURES_KEPT) this.failures.push(what);
    console.error(what);
  }
}
