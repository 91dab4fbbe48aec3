// biome-ignore-all lint/suspicious/noTemplateCurlyInString: These are parts of templates.
import { type Mutant, mutantsOf } from "../mutant";

const DISPATCH = "fault/messages-dispatch";
const SUBSCRIPTIONS = "api/subscriptions";

/** What is sent, by whom, how often, and what counts of its result. */
export const deliveries: readonly Mutant[] = [
  ...mutantsOf({ file: "lib/resources/messages/lease.ts", specs: [DISPATCH] }, [
    {
      name: "the oldest messages take every slot",
      find: "if (last.wasFull) {",
      replace: "if (last.wasFull && false) {",
      specs: ["fault/messages-turns"],
      grep: "Long backlogs",
    },
    {
      name: "a failed search loses the messages that are leased",
      find: "if (head.messages.length === 0) throw error;",
      replace: "throw error;",
      grep: "Messages leased among",
    },
    {
      name: "each lease looks at all queues",
      find: "const QUEUES_PER_WALK = 1000;",
      replace: "const QUEUES_PER_WALK = 1_000_000;",
      specs: ["fault/messages-turns"],
      grep: "Messages for later",
    },
    {
      name: "each lease looks at the first queues",
      find: "last.queue = walked.find(({ is_last }) => is_last) ?? null;",
      replace: "last.queue = null;",
      specs: ["fault/messages-turns"],
      grep: "Messages for later",
    },
    {
      name: "dispatchers do not lock the messages that they choose",
      find: "AND due_at <= unix_now()\n      FOR UPDATE SKIP LOCKED",
      replace: "AND due_at <= unix_now()",
      specs: ["fault/locked-rows"],
      grep: "A dispatch passes over",
    },
    {
      name: "dispatchers wait for each other",
      find: "AND due_at <= unix_now()\n      FOR UPDATE SKIP LOCKED",
      replace: "AND due_at <= unix_now()\n      FOR UPDATE",
      specs: ["fault/locked-rows"],
      grep: "A dispatch passes over",
    },
    {
      name: "dispatchers do not check again that a message is due",
      find: "WHERE id IN (SELECT id FROM chosen) AND due_at <= unix_now()",
      replace: "WHERE id IN (SELECT id FROM chosen)",
      grep: "8 parallel dispatches",
    },
    {
      name: "an interrupted last attempt is tried again",
      find: "FROM locked WHERE message.id = locked.id AND NOT (died AND used_up)",
      replace: "FROM locked WHERE message.id = locked.id",
      grep: "cut short by a crash",
    },
    {
      name: "an attempt is not counted",
      find: "attempts = message.attempts + 1",
      replace: "attempts = message.attempts",
      specs: ["api/messages-delivery"],
      grep: "2xx delivers",
    },
    {
      name: "a message that a crash cut short stays in delivery",
      find: "FROM locked WHERE message.id = locked.id AND died AND used_up",
      replace: "FROM locked WHERE message.id = locked.id AND false",
      grep: "cut short by a crash",
    },
  ]),
  {
    name: "a host that fits into no index fails the lease of all",
    file: "lib/resources/messages/delivery-hours.ts",
    find: "CASE WHEN length(host) > ${ORIGIN_MAX}::int",
    replace: "CASE WHEN length(host) > ${ORIGIN_MAX}::int * 1000",
    specs: [DISPATCH],
    grep: "fits into no index",
  },
  ...mutantsOf({ file: "lib/resources/messages/target.ts" }, [
    {
      name: "a URL's host may have any length",
      find: "if (isLong(url)) {",
      replace: "if (isLong(url) && false) {",
      specs: ["api/messages"],
      grep: "A create refuses a value",
    },
    {
      name: "a stored URL's host may have any length",
      find: "return isLong(parsed) ? NO_HOST : parsed.origin;",
      replace: "return parsed.origin;",
      specs: ["api/questions-reply"],
      grep: "fits into no index",
    },
  ]),
  ...mutantsOf({ file: "lib/resources/messages/record.ts", specs: [DISPATCH] }, [
    {
      name: "a result counts after its lease was lost",
      find: "AND message.lease_token = outcome.lease_token",
      replace: "AND outcome.lease_token IS NOT NULL",
      grep: "A result after the lease was lost",
    },
    {
      name: "a result counts for a message that is no longer in delivery",
      find: "\n        AND message.status = 'delivering'",
      replace: "",
      grep: "A result after the lease was lost",
      reason: "Whatever ends a delivery removes its lease token.",
    },
    {
      name: "a result that the database does not take is dropped",
      find: "if (!isDatabaseDown(error) || performance.now() > deadline) throw error;",
      replace: "throw error;",
      grep: "A result is written again",
    },
  ]),
  ...mutantsOf({ file: "lib/resources/messages/turns.ts", specs: [DISPATCH] }, [
    {
      name: "a host gets any number of deliveries at once",
      find: "WHERE place + COALESCE(running, 0) <= ${deliveriesPerHostMax}::int",
      replace: "WHERE ${deliveriesPerHostMax}::int > 0",
      grep: "At most 10 parallel deliveries per host, 25",
    },
    {
      name: "an organization gets any number of deliveries at once",
      find: "ELSE ${deliveriesPerOrganizationMax}::int END",
      replace: "ELSE ${deliveriesPerOrganizationMax}::int * 1000 END",
      grep: "At most 10 parallel deliveries per host, 25",
    },
    {
      name: "any number of deliveries run at once",
      find: "LIMIT ${Math.max(deliveriesMax - busy.total, 0)}",
      replace: "LIMIT ${deliveriesMax + 1000}",
      grep: "At most 10 parallel deliveries per host, 25",
    },
    {
      name: "a network takes what all networks have",
      find: "? Math.ceil(deliveriesPerOrganizationMax / 2)",
      replace: "? deliveriesPerOrganizationMax",
      specs: ["fault/messages-turns"],
      grep: "A network whose targets are slow",
    },
    {
      name: "an organization's backlog comes first",
      find: "ORDER BY turn, due_at, id LIMIT",
      replace: "ORDER BY due_at, id LIMIT",
      specs: ["fault/messages-turns"],
      grep: "older messages leave a slot",
    },
    {
      name: "retries to a dead host are not held",
      find: "WHERE NOT (is_retry AND (lane, host) IN (SELECT lane, host FROM held))",
      replace: "WHERE true",
      specs: ["fault/messages-breaker"],
      grep: "A new message to a closed port",
    },
    {
      name: "messages of a deleted organization are sent",
      find: "AND NOT ${isDeleted(sql`lane`)}",
      replace: "",
      specs: ["fault/organization-removal"],
      grep: "runs, is sent or is shown",
    },
  ]),
  ...mutantsOf({ file: "lib/resources/messages/outcome.ts", specs: ["api/messages-delivery"] }, [
    {
      name: "a redirect delivers",
      find: "status >= 200 && status <= 299",
      replace: "status >= 200 && status <= 399",
      grep: "A redirect is not followed",
    },
    {
      name: "a refused address is retried",
      find: ': failure !== "blocked_address";',
      replace: ": true;",
      specs: ["fault/foreign-pages"],
    },
    {
      name: "a 503 that is too large is final",
      find: "? status !== null && isRetryable(status)",
      replace: "? false",
      grep: "breaks off, hangs",
    },
    {
      name: "a 503 that is too large is retried at the usual time",
      find: "failure: { status, retryAfter, retryable },",
      replace: "failure: { status, retryable },",
      grep: "Retry-After with 429",
    },
    {
      name: "a target's response keeps NUL",
      find: '.replaceAll("\\0", "\\ufffd")',
      replace: "",
      grep: "response as safe text",
    },
    {
      name: "a target's echo shows the added headers",
      find: "const hide = withoutSecrets(added);",
      replace: "const hide = withoutSecrets([]);",
      specs: ["api/target-headers"],
    },
    {
      name: "an echo is searched for secrets only up to the middle of one",
      find: "body.length > SEARCHED_BYTES ? text.slice(0, -ADDED_HEADERS_BYTES_MAX) : text;",
      replace: "text;",
      specs: ["api/target-headers"],
      grep: "echoed secret",
    },
  ]),
  {
    name: "a share of the time to connect is not a whole number",
    file: "lib/platform/outbound/connect.ts",
    find: "Math.ceil(CONNECT_SHARE_MS / remaining)",
    replace: "CONNECT_SHARE_MS / remaining",
    specs: ["unit/outbound-fetch"],
    grep: "However many addresses",
  },
  {
    name: "a response has any number of bytes besides its body",
    file: "lib/platform/outbound/fetch.ts",
    find: "if (received - size > OVERHEAD_BYTES_MAX) {",
    replace: "if (received < 0) {",
    specs: ["unit/outbound-fetch"],
    grep: "chunks of a byte",
  },
  ...mutantsOf({ file: "lib/resources/messages/dispatch.ts", specs: ["fault/server-start"] }, [
    {
      name: "a dispatch leaves what waits for the deliveries of another",
      find: "else if (isLimited && graceSeconds === 0 && !lifecycle.waiting) {",
      replace: "else if (isLimited && graceSeconds < 0) {",
      specs: ["fault/messages-turns"],
      grep: "A dispatch sends what waits",
    },
    {
      name: "anyone who dispatches sees what targets answered",
      find: "error: error && errorClass(error) };",
      replace: "error };",
      grep: "In public mode every URL",
    },
  ]),
  ...mutantsOf({ file: "lib/resources/messages/retry.ts", specs: ["api/messages-delivery"] }, [
    {
      name: "a status beyond 599 is retried",
      find: "(status >= 500 && status <= 599)",
      replace: "status >= 500",
      grep: "2xx delivers",
    },
  ]),
  ...mutantsOf({ file: "lib/resources/messages/content-type.ts", specs: ["unit/message-bodies"] }, [
    {
      name: "bytes that are no text are sent as text",
      find: 'if (!isUtf8(body)) return "application/octet-stream";',
      replace: "",
    },
  ]),
  ...mutantsOf({ file: "lib/platform/loop-turns.ts", specs: ["unit/loop-turns"] }, [
    {
      name: "all large bodies of a lease are read and signed at once, and all calls of MCP made",
      find: "one.then(() => nextTurn())",
      replace: "one",
    },
  ]),
  ...mutantsOf({ file: "prisma/migrations/1_rules/migration.sql", specs: [SUBSCRIPTIONS] }, [
    {
      name: "the death of a pushed change is pushed",
      find: "AND subscriptions.id = dead.headers::json->>'subscription-id')",
      replace: "AND false)",
      grep: "A pushed change that dies",
    },
  ]),
];
