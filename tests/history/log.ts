/** How a call ended, as far as its client knows. An unknown one may have had its effect, or may have it later. */
export type Outcome = "ok" | "refused" | "unknown";

/** What a response, or a delivery, showed. */
export interface Found {
  id: string;
  value?: string | undefined;
  lease?: string | undefined;
  /** Grows with each lease of the item: a delivery count or a fencing token. */
  turn?: number | undefined;
}

/** One call of a client. Times are milliseconds since the start of the run. */
export interface Call {
  client: string;
  op: string;
  /** The inbox, task, endpoint or feed that it concerns. */
  on: string;
  server: string;
  began: number;
  /** Infinity while it is unanswered. */
  ended: number;
  outcome: Outcome;
  status?: number;
  /** Names the intended effect: no other request has it, except repeats with the same Idempotency-Key. */
  value?: string | undefined;
  /** The event, ETag or cursor that was sent. */
  id?: string | undefined;
  lease?: string | undefined;
  /** How long a lease was asked for, or a delay. */
  seconds?: number | undefined;
  /** How urgent it is: less is more urgent. */
  rank?: number | undefined;
  found: Found[];
}

/** Every call of a run, in the order in which they began. */
export class Log {
  readonly calls: Call[] = [];
  private readonly start = performance.now();

  /** Records the beginning of a call; its end is written into what this returns. */
  begin(call: Pick<Call, "client" | "op" | "on"> & Partial<Call>): Call {
    const begun: Call = {
      server: "",
      began: this.now(),
      ended: Number.POSITIVE_INFINITY,
      outcome: "unknown",
      found: [],
      ...call,
    };
    this.calls.push(begun);
    return begun;
  }

  end(call: Call, outcome: Outcome, rest: Partial<Call> = {}): Call {
    return Object.assign(call, { ended: this.now(), outcome, ...rest });
  }

  /** Records something that happened at once, such as a fault. */
  note(call: Pick<Call, "client" | "op" | "on"> & Partial<Call>): Call {
    return this.end(this.begin(call), call.outcome ?? "ok");
  }

  now(): number {
    return performance.now() - this.start;
  }
}

const SHOWN_MAX = 6;

/** A line for people. */
export function lineOf(call: Call): string {
  const { began, ended, client, server, op, on, outcome, status, found } = call;
  const given = [call.id, call.lease, call.value, call.seconds && `${call.seconds} s`];
  const shown = found
    .slice(0, SHOWN_MAX)
    .map((one) =>
      [one.id, one.value, one.lease, one.turn && `turn ${one.turn}`].filter(Boolean).join(" "),
    );
  const times = `${began.toFixed(0)}–${Number.isFinite(ended) ? ended.toFixed(0) : "?"} ms`;
  return [
    times.padEnd(16),
    `${client} → ${server || "–"}:`.padEnd(26),
    [op, on, ...given].filter(Boolean).join(" "),
    `→ ${outcome}${status ? ` ${status}` : ""}`,
    ...(shown.length > 0 ? [`[${shown.join("; ")}]`] : []),
    ...(found.length > SHOWN_MAX ? [`and ${found.length - SHOWN_MAX} more`] : []),
  ].join(" ");
}
