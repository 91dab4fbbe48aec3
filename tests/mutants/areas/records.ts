// biome-ignore-all lint/suspicious/noTemplateCurlyInString: These are parts of templates.
import { type Mutant, mutantsOf } from "../mutant";

const IDEMPOTENCY = "api/idempotency";
const BATCHES = "api/batches-idempotency";

/** What is done once, and what the feed tells. */
export const records: readonly Mutant[] = [
  {
    name: "an index that a killed server began is dropped once it is complete",
    file: "lib/platform/db/migrate.ts",
    find: "WHERE datname = current_database() AND state = 'active' AND query = $1",
    replace: "WHERE false AND query = $1",
    specs: ["fault/migrate"],
    grep: "that a killed server has left running",
  },
  {
    name: "a body that is too large has another error with an Idempotency-Key",
    file: "lib/platform/http/request.ts",
    find: 'if (error instanceof ApiError && error.code === "payload_too_large") return error;',
    replace: "",
    specs: ["api/agent-auth-register"],
    grep: "take any JSON object of at most 64 KiB",
  },
  ...mutantsOf({ file: "lib/platform/http/response-records.ts", specs: [IDEMPOTENCY] }, [
    {
      name: "a repeat with an Idempotency-Key is done again",
      find: "OR known.owned_until <= unix_now()`",
      replace: "OR true`",
      grep: "replayed byte for byte",
    },
    {
      name: "a crashed request keeps its Idempotency-Key",
      find: " OR known.owned_until <= unix_now()`",
      replace: "`",
      specs: [BATCHES],
      grep: "first request crashed",
    },
    {
      name: "a response is stored under a key that another has taken over",
      find: "WHERE id = ${run.id} AND owner = ${run.owner} RETURNING id",
      replace: "WHERE id = ${run.id} RETURNING id",
      specs: [BATCHES],
      grep: "has taken over its key",
    },
    {
      name: "a failed request frees the key of another",
      find: "WHERE id = ANY (${ids}::text[]) AND owner = ANY (${owners}::text[])",
      replace: "WHERE id = ANY (${ids}::text[]) OR owner = ANY (${owners}::text[])",
      specs: [BATCHES],
      grep: "has taken over its key",
    },
    {
      name: "a key with another body is replayed",
      find: "if (known.body_digest !== identity.contentDigest)",
      replace: "if (false)",
      grep: "with a different body is 422",
    },
    {
      name: "a running request is replayed",
      find: "if (known.running) throw inProgress();",
      replace: "",
      specs: ["api/batches-idempotency"],
      grep: "whose first request crashed",
    },
    {
      name: "all callers share their keys",
      find: "id: digest([request.scope, request.path, request.key])",
      replace: "id: digest([request.path, request.key])",
      grep: "is scoped to its path",
    },
    {
      name: "all paths share their keys",
      find: "id: digest([request.scope, request.path, request.key])",
      replace: "id: digest([request.scope, request.key])",
      grep: "is scoped to its path",
    },
    {
      name: "another Claim-With is replayed",
      find: "request.claimWith === undefined ? content : `${content}.${digest([request.claimWith])}`",
      replace: "content",
      grep: "another Claim-With is 422",
    },
    {
      name: "a record is read after its time",
      find: "WHERE id = ${identity.id} AND created_at > unix_now()",
      replace: "WHERE id = ${identity.id} OR created_at > unix_now() + 1000000",
      specs: [BATCHES],
      grep: "After 24 hours",
      reason: "The claim of the key, which comes first, has replaced an old record.",
    },
    {
      name: "records are kept without end",
      find: "created_at <= unix_now() - ${config().idempotencyRetentionSeconds}`;\n  return removeRows",
      replace:
        "created_at <= unix_now() - ${config().idempotencyRetentionSeconds} * 1000`;\n  return removeRows",
      specs: ["fault/sweep"],
    },
  ]),
  ...mutantsOf({ file: "lib/platform/http/idempotency.ts", specs: ["api/idempotency-atomic"] }, [
    {
      name: "a write without the record of its response commits",
      find: "if (!(await storeResponse(run, recorded, db))) throw inProgress();",
      replace: "await storeResponse(run, recorded).catch(() => undefined);",
    },
    {
      name: "a failed request keeps its Idempotency-Key for a minute",
      find: "await releaseKeys([run]).catch(() => releaseLater(run, RUN_SECONDS));\n    throw error;",
      replace: "throw error;",
      specs: [IDEMPOTENCY],
      grep: "A refused request does not consume",
    },
    {
      name: "a batch that was stopped is never finished",
      find: ' || response.headers["Retry-After"] !== undefined',
      replace: "",
      specs: ["fault/batch"],
      grep: "that a rate limit stopped",
    },
    {
      name: "a repeat of a batch that was stopped begins again",
      file: "lib/api/batch.ts",
      find: "if (progress) await replaceResponse(progress, waiting(result, pause)).catch(logLost);",
      replace: "",
      specs: ["fault/batch"],
      grep: "that a rate limit stopped",
    },
    {
      name: "an Idempotency-Key may have any length",
      find: "if (KEY.test(key)) return key;",
      replace: 'if (key !== "") return key;',
      specs: [IDEMPOTENCY],
      grep: "Any other key is 400",
    },
  ]),
  ...mutantsOf({ file: "lib/resources/insert-together.ts", specs: [IDEMPOTENCY] }, [
    {
      name: "one batch stores a create twice",
      find: "if (records.has(record.id)) return false;",
      replace: "",
      specs: [BATCHES],
      grep: "Of twenty simultaneous creates",
    },
    {
      name: "a create whose record exists is stored",
      find: "sql`AND id NOT IN (SELECT resource_id FROM refused)`",
      replace: "sql``",
      grep: "Of parallel requests with one key",
    },
    {
      name: "a lone create is stored although its key has ended",
      find: "sql`AND id NOT IN (SELECT id FROM ended)`",
      replace: "sql``",
      specs: ["api/revocation"],
      grep: "creates no more once it has ended",
    },
    {
      name: "a lone create is stored after its key was found changed",
      find: "await item.check.run();",
      replace: "await item.check.run().catch(() => undefined);",
      specs: ["api/revocation"],
      grep: "creates no more once it has ended",
    },
  ]),
  ...mutantsOf({ file: "lib/resources/version.ts", specs: ["api/conditional-requests"] }, [
    {
      name: "the ETag of a create covers what only creates return",
      find: ", ...(kind.onCreates ?? [])",
      replace: "",
      grep: "with all that its response may have",
    },
    {
      name: "If-Match compares the host of the request",
      find: ", ...(kind.addressed ?? [])",
      replace: "",
      specs: ["api/base-address"],
      grep: "An ETag serves If-Match",
    },
    {
      name: "an upsert that may only create changes what exists",
      find: "} else if (mustBeNew) {",
      replace: "} else if (mustBeNew && wanted.length > 0) {",
      specs: ["api/upsert"],
      grep: "only creates, even of",
    },
  ]),
  {
    name: "an upsert creates what If-Match names",
    file: "lib/resources/upsert.ts",
    find: "    precondition?.(undefined);\n",
    replace: "",
    specs: ["api/upsert"],
    grep: "If-Match applies to a PUT",
  },
  {
    name: "a forward is replaced whatever If-Match says",
    file: "lib/resources/webhooks/forward/service.ts",
    find: "precondition?.(await findIfSet(endpoint, db));",
    replace: "",
    specs: ["api/conditional-requests"],
    grep: "PUT of a forward",
  },
  ...mutantsOf({ file: "lib/resources/changes/read.ts", specs: ["api/changes"] }, [
    {
      name: "the feed goes beyond transactions that still run",
      find: "sql`(pg_snapshot_xmin(pg_current_snapshot())::text::bigint + change_xid_offset())`",
      replace: "sql`(pg_snapshot_xmax(pg_current_snapshot())::text::bigint + change_xid_offset())`",
      grep: "commits late is not skipped",
    },
    {
      name: "the feed shows the changes of all organizations",
      find: "WHERE organization_id = ${organizationId} AND xid < ${HORIZON}",
      replace: "WHERE ${organizationId}::text IS NOT NULL AND xid < ${HORIZON}",
      grep: "others' changes do not wake it",
    },
    {
      name: "the feed repeats the change at its position",
      find: "AND (xid, id) > (${after.xid}::bigint, ${after.id}::bigint)",
      replace: "AND (xid, id) >= (${after.xid}::bigint, ${after.id}::bigint)",
      grep: "Pages follow each other",
    },
    {
      name: "a position whose changes were removed is not refused",
      find: "if (!hasGap && !isForeign && !is_lost) return;",
      replace: "if (!isForeign && !is_lost) return;",
      grep: "whose changes were removed",
    },
    {
      name: "a position from the future is not refused",
      find: "if (!hasGap && !isForeign && !is_lost) return;",
      replace: "if (!hasGap && !is_lost) return;",
      grep: "Positions that the feed never returned",
    },
    {
      name: "a position that a restore has lost is not refused",
      find: "if (!hasGap && !isForeign && !is_lost) return;",
      replace: "if (!hasGap && !isForeign) return;",
      specs: ["fault/backup"],
    },
    {
      name: "a full page passes matches behind its last",
      find: "const last = matching.length > limit ? changes.at(-1) : candidates.at(-1);",
      replace: "const last = candidates.at(-1);",
      grep: "narrow the feed",
    },
    {
      name: "the feed ignores the kind",
      find: "(kind?.includes(row.kind) ?? true) && ",
      replace: "",
      grep: "narrow the feed",
    },
  ]),
  ...mutantsOf({ file: "lib/resources/changes/remove-old.ts", specs: ["api/changes"] }, [
    {
      name: "changes are kept without end",
      find: "WHERE created_at <= unix_now() - ${RETENTION_SECONDS}::bigint",
      replace: "WHERE created_at <= unix_now() - ${RETENTION_SECONDS}::bigint * 1000",
      grep: "whose changes were removed",
    },
    {
      name: "removed changes are not noted",
      find: "FROM last WHERE owner.id = last.organization_id",
      replace: "FROM last WHERE owner.id = last.organization_id AND false",
      grep: "whose changes were removed",
    },
  ]),
  {
    name: "a restore gives out first fencing tokens again",
    file: "lib/upkeep/backup/load.ts",
    find: 'SET fencing_token = fencing_token + greatest(unix_now() - $1::bigint, 0) + $2"',
    replace:
      'SET fencing_token = fencing_token + greatest(unix_now() - $1::bigint, 0) + $2 WHERE fencing_token > 0"',
    specs: ["fault/backup"],
    grep: "of one moment",
  },
];
