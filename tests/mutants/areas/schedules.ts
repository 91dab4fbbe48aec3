// biome-ignore-all lint/suspicious/noTemplateCurlyInString: These are parts of templates.
import { type Mutant, mutantsOf } from "../mutant";

const SUBSCRIPTIONS = "api/subscriptions";

/** What runs at its time, and what is pushed when something changes. */
export const schedules: readonly Mutant[] = [
  ...mutantsOf(
    { file: "lib/resources/schedules/dispatch.ts", specs: ["fault/schedules-dispatch"] },
    [
      {
        name: "dispatchers do not lock the schedules that they run",
        find: "ORDER BY id FOR NO KEY UPDATE SKIP LOCKED",
        replace: "ORDER BY id",
        specs: ["fault/locked-rows"],
        grep: "A dispatch passes over",
      },
      {
        name: "dispatchers do not check again that a schedule is due",
        find: "WHERE id = ANY (${ids}) AND due_at <= ${timeOf(now)}",
        replace: "WHERE id = ANY (${ids})",
      },
      {
        name: "a schedule that fails is tried endlessly",
        find: "return passOver(ids, now);",
        replace: "return 1;",
        specs: ["api/schedules"],
        grep: "A schedule that fails",
      },
      {
        name: "one schedule's failure keeps the others from running",
        find: "if (ids.length > 1) return runOneByOne(ids, now);",
        replace: "",
        specs: ["api/schedules"],
        grep: "A schedule that fails",
      },
      {
        name: "an organization's schedules come first",
        find: "ORDER BY turn, due_at, id LIMIT",
        replace: "ORDER BY due_at, id LIMIT",
        specs: ["api/schedules"],
        grep: "Many due schedules",
      },
    ],
  ),
  ...mutantsOf({ file: "lib/resources/schedules/run.ts", specs: ["api/schedules"] }, [
    {
      name: "a run sends an event to an inbox of another owner",
      find: 'if (inbox.organization_id !== schedule.organization_id) return failed("other_owner");',
      replace: "",
      grep: "A run into an inbox",
    },
    {
      name: "a run does not lock the inbox's owner",
      find: "WHERE inbox_id = ${event.inbox_id} FOR NO KEY UPDATE`",
      replace: "WHERE inbox_id = ${event.inbox_id}`",
      grep: "A run into an inbox",
    },
    {
      name: "a public schedule runs without end",
      find: "schedule.organization_id === null && !manual && before >= PUBLIC_RUNS_MAX",
      replace: "schedule.organization_id === null && !manual && before >= PUBLIC_RUNS_MAX + 1000",
      grep: "A public schedule runs 100 times",
    },
    {
      name: "a schedule of a foreign page reaches this machine",
      find: 'return public_only ? { ...owner, foreignPage: "request" } : owner;',
      replace: "return owner;",
      specs: ["fault/foreign-pages"],
    },
    {
      name: "runs are kept without end",
      find: "ORDER BY id DESC OFFSET ${RUNS_KEPT - 1} LIMIT 1",
      replace: "ORDER BY id DESC OFFSET ${RUNS_KEPT + 1000} LIMIT 1",
      grep: "The newest 100 runs",
    },
  ]),
  ...mutantsOf({ file: "lib/resources/subscriptions/push.ts", specs: [SUBSCRIPTIONS] }, [
    {
      name: "dispatchers do not lock the subscription that they push",
      find: "WHERE id = ${id} FOR NO KEY UPDATE SKIP LOCKED`",
      replace: "WHERE id = ${id}`",
      specs: ["fault/locked-rows"],
      grep: "A dispatch passes over",
    },
    {
      name: "a change is pushed again and again",
      find: "after_id = coalesce(${reached?.id ?? null}::bigint, after_id)",
      replace: "after_id = coalesce(${reached?.id ?? null}::bigint, after_id) * 0",
      grep: "A URL gets each matching change once",
    },
    {
      name: "changes that a full inbox does not take are lost",
      find: "const reached = isHeld ? positionAfter(page.changes.slice(0, pushed)) : page.next;",
      replace: "const reached = page.next;",
      grep: "A full inbox holds changes back",
    },
    {
      name: "a subscription gets changes of every kind",
      find: "kind: kinds.length === 0 ? undefined : kinds",
      replace: "kind: undefined",
      grep: "A URL gets each matching change once",
    },
  ]),
  ...mutantsOf(
    { file: "lib/resources/subscriptions/event-cursor.ts", specs: ["api/mcp-events-subscribe"] },
    [
      {
        name: "two servers push one event of MCP",
        find: "WHERE id = ${one.id} AND cursor = ${one.cursor} AND suspended_at IS NULL",
        replace: "WHERE id = ${one.id} AND suspended_at IS NULL",
        specs: ["fault/mcp-events-kill"],
      },
      {
        name: "an event of MCP that was not accepted is passed",
        find: "if (one.is_suspended || one.is_sending) return false;",
        replace: "if (one.is_suspended) return false;",
        grep: "Five failures suspend it",
      },
      {
        name: "a callback that fails is never suspended",
        find: 'if (one.status === "failed" && !isRefusal(one.response_status)) return suspend(one);',
        replace: "",
        grep: "Five failures suspend it",
      },
      {
        name: "a subscription of MCP outlives its key",
        find: 'if (!one.is_live) return end(one.id, new ApiError("forbidden", "The key has ended."));',
        replace: "",
        grep: "ends within a second with its key",
      },
      {
        name: "the position of an event of MCP is not stored",
        find: "message_cursor = ${event?.cursor ?? null}",
        replace: "message_cursor = ${event?.cursor && null}",
        grep: "A callback that echoes",
      },
    ],
  ),
];
