import * as z from "zod";
import { ownerOf } from "@/lib/identity/access";
import type { CallerWait } from "@/lib/identity/credential";
import type { Caller } from "@/lib/platform/caller";
import { config } from "@/lib/platform/config/config";
import { unixNow } from "@/lib/platform/db/clock";
import { UNRECORDED } from "@/lib/platform/db/commit";
import { text } from "@/lib/platform/http/fields";
import {
  readyTopic as inboxTopic,
  subscribe as subscribeInbox,
} from "@/lib/resources/inboxes/events/ready-topic";
import { newestReady, readyInInbox } from "@/lib/resources/inboxes/events/ready-work";
import { get as getInbox } from "@/lib/resources/inboxes/service";
import { LeaseNext } from "@/lib/resources/tasks/lease-contract";
import { matchesLabels } from "@/lib/resources/tasks/lease-next";
import {
  subscribe as subscribeTasks,
  readyTopic as tasksTopic,
} from "@/lib/resources/tasks/ready-topic";
import { readyTasks } from "@/lib/resources/tasks/ready-work";
import { type Subscription, waitForLease } from "@/lib/resources/wait-for-lease";
import { newestOf } from "./changed";
import { eventSource, type OccurrencePage } from "./source";

/** How far clocks may differ: a cursor further ahead is from the future. */
const CLOCK_SKEW_SECONDS = 60;
/** How much ready work is counted. */
const READY_COUNTED_MAX = 1000;

/** Work that can be leased now. */
interface ReadyWork {
  count: number;
  /** When the newest became ready, in microseconds; 0 if there is none. */
  newest: number;
  /** The milliseconds until there may be more, although nothing is written. */
  next?: number | null;
}

/** The position before any work: what is ready at the start is an event too. */
const NONE = "ready_0_0";
const CURSOR = /^ready_(\d{1,4})_(\d{1,16})$/;

const readyCount = z.int().describe(`How much is ready, counted up to ${READY_COUNTED_MAX}.`);
const call = z.string().describe("The call that leases it.");

export const inboxReady = eventSource({
  name: "inbox.ready",
  description:
    "Events of an inbox are ready. Only a signal: call receive to lease them. Sent when new ones become ready or old ones ready again, and once at the start if any are ready.",
  input: z.strictObject({ inbox_id: text({ max: 100 }).describe("The inbox, inbox_….") }),
  payload: z.object({ inbox_id: z.string().describe("The inbox."), ready_count: readyCount, call }),
  needsKey: () => false,
  async pulses(watched) {
    const newest = await newestReady(watched.map(({ args }) => args.inbox_id));
    return watched.map(({ args }) => newest.get(args.inbox_id) ?? "");
  },
  async start(caller, { inbox_id }) {
    await getInbox(caller, inbox_id);
    return NONE;
  },
  resume: (caller, { inbox_id }, cursor) => resume(cursor, () => inInbox(caller, inbox_id)),
  async read(caller, { inbox_id: id }, cursor, { wait }) {
    const read = () => inInbox(caller, id);
    const waiting = wait && {
      caller,
      topic: inboxTopic(id),
      subscribe: (left: number) => subscribeInbox(id, left),
      ...wait,
    };
    return readWork(cursor, waiting, read, (ready_count) => ({
      id,
      data: {
        inbox_id: id,
        ready_count,
        call: `${config().baseUrl}/api/inboxes/${id}/events/receive`,
      },
    }));
  },
});

export const taskReady = eventSource({
  name: "task.ready",
  description:
    "Tasks of your organization are free and unblocked. Only a signal: lease-next leases the most urgent. Sent when there are new ones, and once at the start if any are ready.",
  input: z.strictObject({ labels: LeaseNext.shape.labels, not_labels: LeaseNext.shape.not_labels }),
  payload: z.object({ ready_count: readyCount, call }),
  needsKey: () => true,
  pulses: newestOf,
  start: async () => NONE,
  resume: (caller, labels, cursor) =>
    resume(cursor, () => readyTasks(ownerOf(caller), labels, READY_COUNTED_MAX)),
  async read(caller: Caller, labels, cursor, { wait }) {
    const organizationId = ownerOf(caller);
    const read = () => readyTasks(organizationId, labels, READY_COUNTED_MAX);
    const waiting = wait && {
      caller,
      topic: tasksTopic(organizationId),
      subscribe: (left: number) => subscribeTasks(organizationId, left, matchesLabels(labels)),
      ...wait,
    };
    return readWork(cursor, waiting, read, (ready_count) => ({
      id: organizationId,
      data: { ready_count, call: `${config().baseUrl}/api/tasks/lease-next` },
    }));
  },
});

async function inInbox(caller: Caller, id: string): Promise<ReadyWork> {
  await getInbox(caller, id);
  return readyInInbox(id, READY_COUNTED_MAX);
}

/**
 * A cursor from the future would hide all work until then. Work that was written before the clock
 * was set back is itself from there.
 */
async function resume(cursor: string, read: () => Promise<ReadyWork>): Promise<string | undefined> {
  const newest = Number(CURSOR.exec(cursor)?.[2]);
  if (Number.isNaN(newest)) return undefined;
  if (newest <= ((await unixNow()) + CLOCK_SKEW_SECONDS) * 1_000_000) return cursor;
  return newest > (await read()).newest ? NONE : cursor;
}

interface WorkWait extends CallerWait {
  caller: Caller;
  topic: string;
  subscribe(milliseconds: number): Promise<Subscription>;
}

/**
 * One event if there is more or other work than at the cursor, as far as it has been counted. If the newest is older than
 * at the cursor, that one was leased, and perhaps an older one has become ready.
 */
async function readWork(
  cursor: string,
  wait: WorkWait | undefined,
  read: () => Promise<ReadyWork>,
  shown: (count: number) => { id: string; data: Record<string, unknown> },
): Promise<OccurrencePage> {
  const [, count = 0, newest = 0] = (CURSOR.exec(cursor) ?? []).map(Number);
  let work = await read();
  const isNew = () => work.count > 0 && (work.count > count || work.newest !== newest);
  // A stream reads on when its key may have ended.
  if (wait && isNew()) await wait.credential.assertLive();
  else if (wait) {
    await waitForLease(wait.caller, wait.topic, wait, wait.subscribe, async () => {
      work = await read();
      return isNew() ? true : UNRECORDED;
    });
  }
  const next = `ready_${work.count}_${work.newest}`;
  const nextInMs = work.next ?? null;
  if (!isNew()) return { events: [], cursor: next, hasMore: false, nextInMs };
  const { id, data } = shown(work.count);
  const at = Math.floor(Math.max(work.newest, newest) / 1_000_000);
  return {
    events: [{ eventId: `${id}.${next}`, at, data, cursor: next }],
    cursor: next,
    hasMore: false,
    nextInMs,
  };
}
