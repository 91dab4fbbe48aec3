import { CURSOR } from "../workloads/feed";
import {
  type Check,
  callsOf,
  disorder,
  listedBy,
  madeBy,
  type Violation,
  violation,
} from "./check";

const KINDS = { create: "tasks", offer: "tasks", send: "messages", plan: "schedules" } as const;

/** The feed: no page misses a change or shows one twice, and each effect has its change. */
export const feed: Check = (calls) => {
  const all = listedBy(calls, "fed");
  if (!all) return [];
  const found: Violation[] = [];
  for (const page of callsOf(calls, "follow").filter(({ outcome }) => outcome === "ok")) {
    const next = page.found.find(({ value }) => value === CURSOR)?.id ?? "";
    const shown = page.found.filter(({ value }) => value !== CURSOR);
    const expected = all.filter(({ id }) => id > (page.id ?? "") && id <= next);
    for (const { id, value } of expected) {
      if (shown.some((one) => one.id === id)) continue;
      found.push(violation("gap", `A page from ${page.id} to ${next} misses ${value}.`, id, value));
    }
    const ids = shown.map(({ id }) => id);
    if (
      new Set(ids).size < ids.length ||
      ids.some((id, n) => id <= (ids[n - 1] ?? page.id ?? ""))
    ) {
      found.push(violation("order", `A page after ${page.id} is not in order.`, ...ids));
    }
  }
  const times = (text: string) => all.filter(({ value }) => value === text).length;
  const expectOnce = (text: string, about: string) => {
    const count = times(text);
    if (count === 1) return;
    const what = `The feed has “${text}” ${count} times.`;
    found.push(violation(count === 0 ? "gap" : "double", what, about));
  };
  for (const [op, kind] of Object.entries(KINDS)) {
    const made = madeBy(calls, op);
    for (const one of made) expectOnce(`${kind} created ${one.made}`, one.made);
    const created = all.map(({ value = "" }) => value.replace(`${kind} created `, ""));
    found.push(...disorder(made, created));
  }
  for (const { outcome, id = "" } of callsOf(calls, "complete")) {
    if (outcome === "ok") expectOnce(`tasks completed ${id}`, id);
  }
  for (const { outcome, id, on } of callsOf(calls, "claim")) {
    if (outcome === "ok" && id === "organization 0") expectOnce(`tasks claimed ${on}`, on);
  }
  for (const { id, value } of listedBy(calls, "delivered", "messages") ?? []) {
    const isOwn = madeBy(calls, "send").some(({ made }) => made === id);
    if (isOwn && value === "delivered") expectOnce(`messages delivered ${id}`, id);
  }
  return found;
};
