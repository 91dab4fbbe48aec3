import type { Call } from "../log";
import {
  type Check,
  callsOf,
  disorder,
  doubles,
  listedBy,
  madeBy,
  type Violation,
  violation,
} from "./check";
import { holdsOf, overtaken, twoHolders } from "./holders";

const OPS = { grant: "receive", extend: "extend", end: ["ack", "nack"] } as const;

/** Inboxes: each event is there until it is acknowledged, and is held by one worker. */
export const queues: Check = (all) => {
  const inboxes = new Set(callsOf(all, "ingest").map(({ on }) => on));
  return [...inboxes].flatMap((inbox) =>
    checkInbox(
      all.filter(({ on, op }) => on === inbox || op === "fault"),
      inbox,
    ),
  );
};

function checkInbox(calls: readonly Call[], inbox: string): Violation[] {
  const ingested = madeBy(calls, "ingest");
  const left = listedBy(calls, "listed", inbox);
  const received = callsOf(calls, "receive").flatMap(({ found }) => found);
  const acks = callsOf(calls, "ack").filter(({ outcome }) => outcome !== "refused");
  const acknowledged = new Set(acks.map(({ id }) => id));
  const found: Violation[] = [];

  for (const { made, value } of left ? ingested : []) {
    if (acknowledged.has(made) || left?.some(({ id }) => id === made)) continue;
    found.push(
      violation("lost", `The event ${made} is gone without an acknowledgement.`, made, value),
    );
  }
  for (const ack of acks.filter(({ outcome }) => outcome === "ok")) {
    const again = callsOf(calls, "receive", "listed").find(
      (call) => call.began > ack.ended && call.found.some(({ id }) => id === ack.id),
    );
    // A repeat with an Idempotency-Key shows what the first call received.
    const isRepeat =
      again?.value &&
      callsOf(calls, "receive").some(
        ({ value, began }) => value === again.value && began < ack.ended,
      );
    if (again && !isRepeat) {
      found.push(violation("double", `${ack.id} was delivered after its acknowledgement.`, ack.id));
    }
  }
  const sent = new Set(callsOf(calls, "ingest").map(({ value }) => value));
  for (const { id, value } of [...received, ...(left ?? [])]) {
    if (!sent.has(value)) found.push(violation("wrong", `Nobody sent ${value}.`, id, value));
  }
  const ids = ingested.map(({ made, value }) => ({ id: made, value }));
  found.push(...doubles([...ids, ...received, ...(left ?? [])]));
  found.push(...twoHolders(calls, OPS));
  const waiting = ingested
    .filter(({ seconds }) => !seconds)
    .map(({ made, began, ended }) => ({ id: made, rank: 0, began, ended }));
  const isBefore = (one: { ended: number }, other: { began: number }) => one.ended < other.began;
  return [...found, ...overtaken(calls, holdsOf(calls, OPS), waiting, isBefore)];
}

/** Endpoints: each captured request is there once, in order, and was forwarded once. */
export const captures: Check = (calls) =>
  callsOf(calls, "forwards").flatMap(({ on: endpoint, id: target = "" }) => {
    const captured = madeBy(calls, "capture").filter(({ on }) => on === endpoint);
    const kept = listedBy(calls, "listed", endpoint);
    const forwarded = listedBy(calls, "listed", target);
    const arrived = callsOf(calls, "arrive").filter(({ outcome }) => outcome === "ok");
    const found: Violation[] = [];
    for (const { made, value } of captured) {
      const isKept = !kept || kept.some(({ id }) => id === made);
      if (!isKept) found.push(violation("lost", `The captured ${made} is gone.`, made, value));
      const isForwarded = target.startsWith("http")
        ? !kept || arrived.some((call) => call.value === value)
        : !forwarded || forwarded.some((event) => event.value === value);
      if (!isForwarded) {
        found.push(violation("lost", `${made} was not forwarded.`, made, value, target));
      }
    }
    found.push(...doubles(kept ?? []), ...doubles(forwarded ?? []));
    found.push(
      ...disorder(
        captured,
        (kept ?? []).map(({ id }) => id),
      ),
    );
    const byValue = captured.map((call) => ({ ...call, made: call.value ?? "" }));
    const values = (forwarded ?? []).map(({ value }) => value ?? "");
    return [...found, ...disorder(byValue, values)];
  });
