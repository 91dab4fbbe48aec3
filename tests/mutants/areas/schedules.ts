// biome-ignore-all lint/suspicious/noTemplateCurlyInString: These are parts of templates.
import { type Mutant, mutantsOf } from "../mutant";

const SUBSCRIPTIONS = "api/subscriptions";

/** What runs at its time, and what is pushed when something changes. */
export const schedules: readonly Mutant[] = [
  {
    name: "a task that was given back is no news",
    file: "lib/resources/tasks/ready-work.ts",
    find: "newest: newest + ((row?.leases ?? 0) % 1_000_000)",
    replace: "newest",
    specs: ["api/mcp-events-poll"],
    grep: "A free task is news",
  },
  ...mutantsOf(
    { file: "lib/resources/subscriptions/ending.ts", specs: ["api/mcp-events-subscribe"] },
    [
      {
        name: "a subscription ends although it was just extended",
        find: "AND event IS NOT NULL AND expires_at <= unix_now()",
        replace: "AND event IS NOT NULL",
        grep: "lives on if it is extended",
      },
      {
        name: "a client that has not replaced its secret cannot verify the end",
        find: "CASE WHEN previous_until > unix_now() THEN previous_secret END",
        replace: "NULL::bytea",
        grep: "signed by a secret that was replaced",
      },
    ],
  ),
  {
    name: "an instance on Vercel does not wait for what it pushes",
    file: "lib/resources/subscriptions/pusher.ts",
    find: "waitUntil(pusher.running);",
    replace: "",
    specs: ["fault/vercel"],
    grep: "until its pushes are delivered",
    pages: true,
  },
  {
    name: "a change of a schedule undoes another's",
    file: "lib/resources/schedules/service.ts",
    find: "if (stableTag(shown) !== read) throw new Overtaken();",
    replace: "",
    specs: ["api/schedules"],
    grep: "none undoes another",
  },
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
        reason:
          "A plan has only times after `checked_until`, and none while paused, so it runs none of a schedule that is no longer due.",
      },
      {
        name: "schedules of a deleted organization run",
        find: "sql`NOT ${isDeleted(sql`organization_id`)}`",
        replace: "sql`true`",
        specs: ["fault/organization-removal"],
        grep: "runs, is sent or is shown",
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
        find: "if (ids.length > 1) return runOneByOne(ids, now, deadline);",
        replace: "",
        specs: ["api/schedules"],
        grep: "A schedule that fails",
      },
      {
        name: "one locked inbox keeps every schedule from running",
        find: "if (isDatabaseGone(error)) throw error;",
        replace: "if (isDatabaseDown(error)) throw error;",
        grep: "A locked inbox",
      },
      {
        name: "an organization's schedules come first",
        find: "ORDER BY turn, due_at, id LIMIT",
        replace: "ORDER BY due_at, id LIMIT",
        specs: ["api/schedules"],
        grep: "Many due schedules",
      },
      {
        name: "a network's public schedules come first",
        find: "ORDER BY place, due_at, id) AS turn",
        replace: "ORDER BY due_at, id) AS turn",
        grep: "A network's many",
      },
      {
        name: "a repeated create shows the next times of another clock",
        file: "lib/api/run-operation.ts",
        find: "restored ? restored(recorded) : recorded",
        replace: "recorded",
        grep: "repeat of a create",
      },
      {
        name: "a change runs a schedule while dispatch is off",
        file: "lib/resources/schedules/service.ts",
        find: " && !(await isDispatchOff())",
        replace: "",
        grep: "is paused while",
      },
    ],
  ),
  ...mutantsOf({ file: "lib/resources/schedules/run.ts", specs: ["api/schedules"] }, [
    {
      name: "a run stores what nobody has room for",
      find: 'return failed("storage_full");',
      replace: "{}",
      specs: ["fault/storage-limits"],
      grep: "When public data",
    },
    {
      name: "a run sends an event to an inbox of another owner",
      file: "lib/resources/inboxes/events/send.ts",
      find: 'if (inbox.organization_id !== owner) return "other_owner";',
      replace: "",
      grep: "A run into an inbox",
    },
    {
      name: "a run does not lock the inbox's owner",
      file: "lib/resources/inboxes/events/send.ts",
      find: "WHERE inbox_id = ${inboxId} FOR NO KEY UPDATE`",
      replace: "WHERE inbox_id = ${inboxId}`",
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
  ...mutantsOf({ file: "lib/resources/subscriptions/advance.ts", specs: [SUBSCRIPTIONS] }, [
    {
      name: "dispatchers do not lock the subscription that they push",
      find: "AND message_id IS NOT DISTINCT FROM ${one.message_id} FOR NO KEY UPDATE SKIP LOCKED`",
      replace: "AND message_id IS NOT DISTINCT FROM ${one.message_id}`",
      specs: ["fault/locked-rows"],
      grep: "A dispatch passes over",
    },
    {
      name: "a change is pushed again and again",
      find: "after_xid = ${xid}, after_id = ${id}\n",
      replace: "after_xid = ${xid} * 0, after_id = ${id} * 0\n",
      grep: "A URL gets each matching change once",
    },
    {
      name: "changes that a full inbox does not take are lost",
      find: "const reached = isHeld ? (page.events[count - 1]?.cursor ?? page.from) : page.cursor;",
      replace: "const reached = page.cursor;",
      grep: "A full inbox holds changes back",
    },
    {
      name: "a subscription gets changes of every kind",
      find: "kinds: kinds.length ? kinds : undefined,",
      replace: "",
      grep: "A URL gets each matching change once",
    },
  ]),
  ...mutantsOf(
    { file: "lib/resources/subscriptions/advance.ts", specs: ["api/mcp-events-subscribe"] },
    [
      {
        name: "two servers push one event of MCP",
        find: "WHERE id = ${one.id} AND cursor IS NOT DISTINCT FROM ${one.cursor}",
        replace: "WHERE id = ${one.id} AND (true OR cursor IS NOT DISTINCT FROM ${one.cursor})",
        specs: ["fault/mcp-events-kill"],
        reason: "`message_id`, which each push replaces, is compared too.",
      },
      {
        name: "an event of MCP that was not accepted is passed",
        find: "if (one.is_suspended || one.is_sending) return {};",
        replace: "if (one.is_suspended) return {};",
        grep: "Five failures suspend it",
        reason: "The pusher looks for news only of subscriptions that are not sending.",
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
      {
        name: "a callback of MCP need not echo",
        file: "lib/resources/subscriptions/callback.ts",
        find: "isSameSecret(echoOf(body), challenge)",
        replace: "(isSameSecret(echoOf(body), challenge) || true)",
        grep: "A callback that does not echo",
      },
      {
        name: "a refresh takes the same secret for a new one",
        file: "lib/resources/subscriptions/event-service.ts",
        find: "known && unseal(id, known) === secret ? known : seal(id, secret)",
        replace: "known && !secret ? known : seal(id, secret)",
        grep: "A replaced secret still signs",
      },
      {
        name: "a cursor of ready work may be from the future",
        file: "lib/resources/subscriptions/events/ready.ts",
        find: "? NONE : cursor;",
        replace: "? cursor : cursor;",
        specs: ["api/mcp-events-poll"],
        grep: "An inbox says that work is there",
      },
    ],
  ),
];
