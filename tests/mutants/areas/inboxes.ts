import { type Mutant, mutantsOf } from "../mutant";

const RULES = "prisma/migrations/1_rules/migration.sql";
const SETS = "prisma/migrations/20261128120000_inbox_in_sets/migration.sql";
const LEASES = "prisma/migrations/20261129150000_bounded_captures/migration.sql";
const NACKS = "prisma/migrations/20261130061500_nacks_before_the_end/migration.sql";
const INGESTS = "prisma/migrations/20261129130000_weight_of_inbox_events/migration.sql";
const CONSUME = "api/inboxes-consume";
const INGEST = "api/inboxes-ingest";
const REPLIES = "api/inboxes-replies";

/** Who holds an event of an inbox, and what its state counts. */
export const inboxes: readonly Mutant[] = [
  {
    name: "an event whose command was ended is acknowledged",
    file: "packages/client/src/cli/child.ts",
    find: "exit_code === 0 && !forced ? null",
    replace: "exit_code === 0 ? null",
    specs: ["api/cli-work"],
    grep: "a second one ends it",
  },
  {
    name: "an event that was not acknowledged counts as done",
    file: "packages/client/src/cli/commands/work.ts",
    find: "if (event) failed += 1;",
    replace: "if (event && error instanceof CommandFailed) failed += 1;",
    specs: ["api/cli-work"],
    grep: "What was done and not acknowledged",
  },
  ...mutantsOf({ file: LEASES, specs: [CONSUME] }, [
    {
      name: "receivers do not lock the events that they choose",
      find: "LIMIT cardinality(lease_ids)\n      FOR UPDATE SKIP LOCKED",
      replace: "LIMIT cardinality(lease_ids)",
      specs: ["fault/locked-rows"],
      grep: "A worker passes over",
    },
    {
      name: "an inbox gives the newest event first",
      find: "ORDER BY e.visible_at, e.id LIMIT",
      replace: "ORDER BY e.visible_at DESC, e.id DESC LIMIT",
      grep: "first in, first out",
    },
    {
      name: "leased events are received again",
      find: "AND e.visible_at <= at AND e.visible_at >= inbox.ready_from",
      replace: "AND e.visible_at < 'infinity'",
      grep: "first in, first out",
    },
    {
      name: "events that have run out of time are received",
      find: "AND e.lapses_at > at\n      ORDER BY e.visible_at, e.id",
      replace: "\n      ORDER BY e.visible_at, e.id",
      specs: [INGEST],
      grep: "last second of its TTL",
    },
    {
      name: "a foreign caller receives events",
      find: "IF is_live AND (owner IS NULL OR owner = caller_organization) THEN",
      replace: "IF is_live THEN",
      specs: ["api/inboxes-batches"],
      grep: "see only what their keys allow",
    },
    {
      name: "a key that has ended receives events",
      find: "is_live := key_is_live;",
      replace: "is_live := true;",
      specs: ["api/revocation"],
      grep: "A job that arrives during",
      reason: "A wait ends with its key. Only an event of the same moment could show this.",
    },
    {
      name: "deliveries have no end",
      find: "WHEN e.delivery_count + 1 < deliveries_max THEN to_timestamp(e.expires_at)",
      replace: "WHEN true THEN to_timestamp(e.expires_at)",
      grep: "After ten deliveries",
    },
    {
      name: "a receive takes any number of bytes",
      find: "total > bytes_max AND",
      replace: "false AND",
      grep: "Large events are split",
    },
    {
      name: "a receive takes any number of long queries",
      find: "e.size_bytes + 8 * octet_length(e.query_string) AS weight",
      replace: "e.size_bytes AS weight",
      grep: "Long queries are split",
    },
  ]),
  ...mutantsOf({ file: SETS, specs: [CONSUME] }, [
    {
      name: "an acknowledgement needs no current lease",
      find: "(e.id, e.lease_id) IN (SELECT given.id, given.lease_id",
      replace: "e.id IN (SELECT given.id",
      grep: "Once another receiver holds",
    },
    {
      name: "an expired event is acknowledged",
      find: "AND (outcome = 'expired' OR e.expires_at > seconds) AND (",
      replace: "AND (",
      specs: [INGEST],
      grep: "last second of its TTL",
    },
    {
      name: "a foreign caller acknowledges events",
      find: "IF owner IS NULL OR owner = caller_organization THEN",
      replace: "IF true THEN",
      specs: ["api/access-matrix"],
    },
    {
      name: "an event that was not acknowledged is reported as such",
      find: "are_all := cardinality(gone.deleted_ids) = cardinality(event_ids);",
      replace: "are_all := true;",
      grep: "acknowledges earlier deliveries in the same call",
    },
  ]),
  ...mutantsOf({ file: NACKS, specs: [CONSUME] }, [
    {
      name: "a nack delays an event until after its end",
      find: "least(epoch + given.delay, greatest(epoch, e.expires_at - 1))",
      replace: "epoch + given.delay",
      grep: "The delay of a nack",
    },
    {
      name: "a release needs no current lease",
      find: "e.id = ANY (event_ids) AND e.id = given.id AND e.lease_id = given.lease_id\n        AND e.expires_at > seconds",
      replace: "e.id = ANY (event_ids) AND e.id = given.id\n        AND e.expires_at > seconds",
      grep: "Once another receiver holds",
    },
    {
      name: "a release forgets that an event was the last delivery",
      find: "visible_at = CASE WHEN given.dead OR e.delivery_count >= deliveries_max OR e.visible_at = 'infinity' THEN 'infinity'",
      replace: "visible_at = CASE WHEN given.dead OR e.visible_at = 'infinity' THEN 'infinity'",
      grep: "After ten deliveries",
    },
    {
      name: "a dead event keeps its dedup_id from others",
      find: "OR e.visible_at = 'infinity' THEN NULL\n                         ELSE e.dedup_key END",
      replace:
        "OR e.visible_at = 'infinity' THEN e.dedup_key\n                         ELSE e.dedup_key END",
      grep: "A redriven event keeps existing",
    },
  ]),
  ...mutantsOf({ file: RULES, specs: [CONSUME] }, [
    {
      name: "a purge does not lock the events of its state",
      find: "ELSE 'leased' END)\n        FOR UPDATE) AS found",
      replace: "ELSE 'leased' END)) AS found",
      grep: "leased during a purge",
    },
    {
      name: "a sweep waits for locked events",
      find: "ORDER BY e.lapses_at LIMIT how_many\n    FOR UPDATE SKIP LOCKED",
      replace: "ORDER BY e.lapses_at LIMIT how_many\n    FOR UPDATE",
      specs: ["fault/sweep"],
      reason: "It only waits: a receiver's transaction is one statement.",
    },
    {
      name: "a reply needs no current lease",
      find: "SELECT e.lease_id = of_lease INTO is_held",
      replace: "SELECT true INTO is_held",
      specs: [REPLIES],
      grep: "needs the latest lease",
    },
    {
      name: "a reply does not count as bytes",
      find: "inbox.bytes_used + length(content) <= public_bytes_max",
      replace: "true",
      specs: [REPLIES],
      grep: "counts against the bytes",
    },
    {
      name: "an empty reply weighs nothing",
      file: "prisma/migrations/20261130234100_weight_of_replies/migration.sql",
      find: "'bytes_used + length(content) + 300'",
      replace: "'bytes_used + length(content)'",
      specs: [REPLIES],
      grep: "counts against the bytes",
    },
    {
      name: "an empty reply weighs nothing in a recount",
      file: "lib/resources/inboxes/events/storage.ts",
      find: "::int), 0)\n            FROM inbox_replies",
      replace: "::int * 0), 0)\n            FROM inbox_replies",
      specs: [REPLIES],
      grep: "counts against the bytes",
    },
    {
      name: "a full inbox is not recounted for an empty reply",
      file: "lib/resources/inboxes/replies/service.ts",
      find: "measure(inboxId, bytes)",
      replace: "measure(inboxId, content.body.length)",
      specs: [REPLIES],
      grep: "counts against the bytes",
    },
    {
      name: "a reply to a reply stores another",
      find: "AND r.content_type IS NOT DISTINCT FROM of_type AND r.body = content AND",
      replace: "AND",
      specs: [REPLIES],
      grep: "needs the latest lease",
    },
    {
      name: "a reply is stored without the state's lock",
      find: "FOR NO KEY UPDATE;\n  IF NOT FOUND THEN\n    RETURN;\n  END IF;\n  owner := inbox.organization_id;\n  is_claimed",
      replace:
        ";\n  IF NOT FOUND THEN\n    RETURN;\n  END IF;\n  owner := inbox.organization_id;\n  is_claimed",
      specs: [REPLIES],
      grep: "of many at once, one is stored",
      reason: "The event's own lock, taken by FOR UPDATE, decides between two replies.",
    },
  ]),
  ...mutantsOf({ file: INGESTS, specs: [INGEST] }, [
    {
      name: "an ingest does not lock the state",
      find: "WHERE i.inbox_id = of_inbox FOR NO KEY UPDATE;",
      replace: "WHERE i.inbox_id = of_inbox;",
      grep: "waits for another one",
    },
    {
      name: "an event is ready from the beginning of its statement",
      find: "at := clock_timestamp();",
      replace: "at := now();",
      specs: ["api/webhook-forwarding"],
      grep: "a forward that began first",
    },
    {
      name: "an inbox takes more than max_events",
      find: "AND inbox.occupied < inbox.max_events\n",
      replace: "\n",
      grep: "never exceed max_events",
    },
    {
      name: "a public inbox takes any number of bytes",
      find: "AND (owner IS NOT NULL OR inbox.bytes_used + weight <= public_bytes_max)",
      specs: [REPLIES],
      grep: "counts against the bytes",
    },
    {
      name: "an event without a body weighs nothing",
      find: "          + 300;",
      replace: "          + 0;",
      specs: [REPLIES],
      grep: "counts against the bytes",
    },
    {
      name: "a repeated dedup_id in one batch is stored twice",
      find: "same := array_position(dedup_ids, dedup_ids[n]);",
      replace: "same := n;",
      grep: "Parallel ingests with one dedup_id",
      reason: "The unique index refuses the batch, whose halves are then stored on their own.",
    },
    {
      name: "a pending event does not keep its dedup_id",
      find: "e.dedup_key = dedup_ids[n] AND e.lapses_at > at;",
      replace: "e.dedup_key = dedup_ids[n] AND e.lapses_at > at AND false;",
      grep: "adds nothing while the first event is pending",
    },
    {
      name: "a lapsed event keeps its dedup_id from others",
      find: "e.dedup_key = dedup_ids[n] AND e.lapses_at > at;",
      replace: "e.dedup_key = dedup_ids[n];",
      grep: "Once the first event is acknowledged",
    },
    {
      name: "public inboxes record credentials",
      find: "CASE WHEN owner IS NULL THEN coalesce(redacted_headers[i], headers[i]) ELSE headers[i] END,\n           substring(bodies FROM body_starts[i] + 1 FOR body_lengths[i]), body_lengths[i]",
      replace:
        "headers[i],\n           substring(bodies FROM body_starts[i] + 1 FOR body_lengths[i]), body_lengths[i]",
      grep: "Ingest ignores credentials",
    },
    {
      name: "a delayed event is ready at once",
      find: "greatest(at + delays[i] * interval '1 second', inbox.ready_from)",
      replace: "greatest(at, inbox.ready_from)",
      grep: "delayed event is received once its delay",
    },
    {
      name: "an event expires when its delay ends",
      file: "lib/resources/inboxes/events/arrival.ts",
      find: "if (delaySeconds < ttlSeconds) return;",
      replace: "if (delaySeconds <= ttlSeconds) return;",
      grep: "A delay that an event would not outlive",
    },
    {
      name: "waiting receivers are not told of an ingest",
      find: "is_awaited := coalesce(inbox.awaited_until > at, false);\n\n  FOR n IN 1 .. cardinality(ids)",
      replace: "is_awaited := false;\n\n  FOR n IN 1 .. cardinality(ids)",
      specs: [CONSUME],
      grep: "within a second of its ingest",
    },
  ]),
  ...mutantsOf(
    {
      file: "prisma/migrations/20261126094000_redrive_in_one_update/migration.sql",
      specs: [CONSUME],
    },
    [
      {
        name: "a redrive does not lock the event",
        find: "AND e.id = of_event AND e.expires_at > seconds FOR UPDATE;",
        replace: "AND e.id = of_event AND e.expires_at > seconds;",
        reason:
          "An extension of a lease is the only writer without the state's lock, and it does not match a dead event.",
      },
      {
        name: "a redrive makes any event ready",
        find: "CASE WHEN state_before = 'dead' THEN ARRAY[of_event] ELSE '{}' END",
        replace: "ARRAY[of_event]",
        grep: "redrive makes it ready",
      },
      {
        name: "a redrive ignores max_events",
        find: "WHERE NOT fitting.needs_room OR fitting.turn <= inbox.max_events - inbox.occupied",
        grep: "takes the oldest that fit",
      },
      {
        name: "a redriven event keeps its deliveries",
        find: "delivery_count = 0,",
        replace: "delivery_count = e.delivery_count,",
        grep: "redrive makes it ready",
      },
      {
        name: "a redriven event takes the dedup_id of another",
        find: "one.holder = one.id OR (one.holder IS NULL AND one.place = 1)",
        replace: "true",
        grep: "dedup_id",
      },
      {
        name: "a foreign caller redrives events",
        find: "IF owner IS DISTINCT FROM caller_organization AND owner IS NOT NULL THEN",
        replace: "IF false THEN",
        specs: ["api/access-matrix"],
        reason: "The service has asked for access before, and again after the statement.",
      },
    ],
  ),
  ...mutantsOf({ specs: ["api/client-work"] }, [
    {
      name: "the client's worker asks a server that stops in a tight loop",
      file: "packages/client/src/long-poll.ts",
      find: "endedEarly(sentAt, waitSeconds) ? early + 1 : 0",
      replace: "0",
      grep: "ends all waits at once",
    },
    {
      name: "the client leaves what a lost response leased until its lease ends",
      file: "packages/client/src/long-poll.ts",
      find: "if (!request || sentAt",
      replace: "if (sentAt > 0 || sentAt",
      grep: "What a lost response leased",
    },
    {
      name: "the client works on an event whose lease ended during a long break",
      file: "packages/client/src/long-poll.ts",
      find: " || sentAt - request.madeAt >= leaseSeconds * 1000",
      grep: "What a lost response leased",
      reason: "The client takes no event whose lease has ended, and asks again.",
    },
    {
      name: "the client's worker drops an error when it makes too many requests",
      file: "packages/client/src/settlements.ts",
      find: "isRefused && !hasKey &&",
      replace: "isRefused &&",
      grep: "goes back with its error",
    },
  ]),
  {
    name: "one statement deletes all events of an inbox",
    file: "lib/resources/remove-in-turns.ts",
    find: "return found?.has_many ?? false;",
    replace: "return found === undefined;",
    specs: ["fault/large-inboxes"],
  },
  {
    name: "a batch of nacks reads the bodies of its events",
    file: "lib/resources/inboxes/events/release.ts",
    find: "nacks, columns, db);",
    replace: "nacks, OWN_COLUMNS, db);",
    specs: ["fault/large-inboxes"],
    grep: "reads no bodies",
  },
  {
    name: "an event is compared with another one that may have left",
    file: "lib/resources/inboxes/events/ingest.ts",
    find: "arrival.isKeyed && !(await hasBody(inboxId, outcome.id, arrival.body, db))",
    replace: "false",
    also: [
      "  return outcome;\n}",
      `  if (outcome.id !== arrival.id && arrival.isKeyed) {
        if ((await hasBody(inboxId, outcome.id, arrival.body)) === false) throw keyReused();
      }
      return outcome;
    }`,
    ],
    specs: ["fault/large-inboxes"],
    grep: "is not lost when",
  },
  ...mutantsOf({ file: "lib/resources/inboxes/events/extend.ts", specs: [CONSUME] }, [
    {
      name: "an extension that shortens a lease wakes nobody",
      find: "inbox.is_awaited AND event.visible_at < (",
      replace: "false AND event.visible_at < (",
      grep: "wakes waiting receivers",
    },
    {
      name: "each extension of a lease wakes all who wait",
      find: "inbox.is_awaited AND event.visible_at < (",
      replace: "inbox.is_awaited AND event.visible_at <> (",
      grep: "wakes waiting receivers",
    },
  ]),
  {
    name: "a public inbox is recounted for each event that it refuses",
    file: "lib/resources/inboxes/events/storage.ts",
    find: "  if (!again && performance.now() < (fullUntil.get(inboxId) ?? 0)) return false;\n",
    specs: ["fault/public-storage"],
    grep: "is not recounted",
  },
  {
    name: "a receiver whose events did not fit into a statement gets none",
    file: "lib/resources/inboxes/events/lease-ready.ts",
    find: "const rows = leased[index];",
    replace: "const rows = leased[index] ?? [];",
    specs: ["fault/large-inboxes"],
    grep: "share a statement",
  },
  ...mutantsOf({ specs: ["fault/public-storage"], grep: "errors of nacks count" }, [
    {
      name: "nacks add any number of bytes to a public inbox",
      file: "lib/resources/inboxes/events/release.ts",
      find: "first.organization_id === null && bytes > 0",
      replace: "false",
    },
    {
      name: "a recount leaves out the errors of nacks",
      file: "lib/resources/inboxes/events/storage.ts",
      find: "coalesce(octet_length(last_error), 0)",
      replace: "0",
    },
  ]),
  {
    name: "a receiver that has left leases events at once",
    file: "lib/resources/inboxes/events/lease-ready.ts",
    find: "request.client?.signal.aborted ? []",
    replace: "request.hasWaited && request.client?.signal.aborted ? []",
    specs: [CONSUME],
    grep: "before its first lease",
  },
  {
    name: "an organization takes events until its rows are gone",
    file: "lib/upkeep/remove-organizations.ts",
    find: "const closed = await removeStates(db, id, turn.deleted_at, limit);",
    replace: "const closed = 0;",
    specs: ["fault/organization-removal"],
    grep: "accepts no events",
  },
  {
    name: "one statement deletes a thousand rows of up to a megabyte",
    file: "lib/platform/db/remove-rows.ts",
    find: "LARGE_ROWS_MAX = 100;",
    replace: "LARGE_ROWS_MAX = 1000;",
    specs: ["fault/large-inboxes"],
  },
  {
    name: "deletions of many endpoints take all connections",
    file: "lib/resources/webhooks/service.ts",
    find: "await trim(id, { inTurn });",
    replace: "await trim(id);",
    specs: ["fault/large-inboxes"],
    grep: "large endpoints leave connections",
  },
  {
    name: "a large resource is deleted although it has changed",
    file: "lib/resources/resource.ts",
    find: "precondition?.(serialize(await lock(caller, id, db), caller));",
    specs: ["fault/large-inboxes"],
    grep: "has changed while",
  },
  {
    name: "an ingest that was stored fails with another one of its batch",
    file: "lib/resources/inboxes/events/insert.ts",
    find: "if (db || outcomes.size === 0) throw error;",
    replace: "throw error;",
    specs: ["fault/large-inboxes"],
    grep: "in a second try",
  },
  ...mutantsOf({ file: "lib/resources/inboxes/operations.ts", specs: ["fault/searches"] }, [
    {
      name: "counts of inboxes take all connections",
      find: "    searches: () => true,\n",
    },
    {
      name: "filters by state take all connections",
      file: "lib/resources/inboxes/events/operations.ts",
      find: "state !== undefined",
      replace: "false",
    },
    {
      name: "filters by method take all connections",
      file: "lib/resources/webhooks/events/operations.ts",
      find: "({ method }) => method !== undefined",
      replace: "() => false",
    },
    {
      name: "polls and streams by method take all connections",
      file: "lib/resources/webhooks/events/filter.ts",
      find: "filter.method !== undefined || isSearch(filter)",
      replace: "isSearch(filter)",
    },
    {
      name: "rows by method take all connections",
      file: "app/(dashboard)/webhooks/[id]/rows/route.ts",
      find: "method !== undefined || isSearch(filter)",
      replace: "isSearch(filter)",
    },
    {
      name: "filters of tasks take all connections",
      file: "lib/resources/tasks/operations.ts",
      find: ".some((one) => one !== undefined)",
      replace: ".every(() => false)",
    },
  ]),
  {
    name: "deletions of many inboxes take all connections",
    file: "lib/resources/remove-in-turns.ts",
    find: "searchGate().run(client, step)",
    replace: "step()",
    specs: ["fault/large-inboxes"],
    grep: "leave connections",
  },
  ...mutantsOf({ file: "lib/resources/walk.ts", specs: ["fault/sweep-turns"] }, [
    {
      name: "what fails in a sweep holds up what follows",
      find: "if (isDatabaseGone(error)) throw error;",
      replace: "throw error;",
    },
    {
      name: "a sweep takes one batch of each inbox",
      find: "if (calls % CALLS_PER_ITEM_MAX === 0) after = item.id;",
      replace: "after = item.id;",
      grep: "expires all events",
    },
  ]),
  ...mutantsOf({ file: "lib/resources/inboxes/events/service.ts", specs: [CONSUME] }, [
    {
      name: "a list hides what follows an event larger than a page",
      find: "place = 1 OR upto <=",
      replace: "upto <=",
      grep: "larger than a page goes on",
    },
    {
      name: "a list ends where a page has to end early",
      find: ", total?.count, rows[0]?.found)",
      replace: ", total?.count)",
      grep: "Long queries are split",
    },
    {
      name: "a search of events reads any number of queries",
      file: "lib/resources/inboxes/events/service.ts",
      find: "+ octet_length(event.query_string) AS bytes",
      replace: "AS bytes",
      specs: ["api/inboxes"],
      grep: "many megabytes of queries",
      pages: true,
    },
  ]),
];
