// biome-ignore-all lint/suspicious/noTemplateCurlyInString: These are parts of templates.
import { type Mutant, mutantsOf } from "../mutant";

const MATRIX = "api/access-matrix";

/** Who may do what: keys, scopes, owners, claims and foreign pages. */
export const access: readonly Mutant[] = [
  ...mutantsOf({ file: "lib/identity/access.ts", specs: [MATRIX] }, [
    {
      name: "any caller may reach what an organization owns",
      find: "organizationId === null || organizationId === organizationOf(caller)",
      replace: "organizationId !== undefined || organizationId === organizationOf(caller)",
    },
    {
      name: "any caller may write what an organization owns",
      find: "(organization_id IS NULL OR organization_id = ${organizationOf(caller)})",
      replace: "(true OR organization_id = ${organizationOf(caller)})",
    },
    {
      name: "a change does not notice a claim that commits first",
      find: ": sql`organization_id IS NOT DISTINCT FROM ${row.organization_id}`",
      replace: ": sql`${row.organization_id}::text IS NULL OR true`",
      specs: ["api/claim"],
      grep: "when a claim commits first",
    },
    {
      name: "If-Match does not notice a change that commits first",
      find: "? sql`revision = ${row.revision}`",
      replace: "? sql`revision >= ${row.revision}`",
      specs: ["api/conditional-requests"],
      grep: "exactly one succeeds",
    },
    {
      name: "a read-only key sees addresses",
      find: 'caller.kind !== "anonymous" && mayWrite(caller)',
      replace: 'caller.kind !== "anonymous"',
      specs: ["api/read-only-keys"],
      pages: true,
    },
  ]),
  ...mutantsOf({ file: "lib/api/perform.ts", specs: [MATRIX] }, [
    {
      name: "operations for members take anonymous callers",
      find: 'if (auth !== "required" || caller.kind !== "anonymous") return;',
      replace: "if (auth !== undefined) return;",
    },
    {
      name: "no operation asks for a scope",
      find: 'if (scope === null || caller.kind === "anonymous" || caller.scopes.includes(scope)) return;',
      replace: "if (scope !== undefined) return;",
    },
    {
      name: "a key that ends during an upload writes",
      find: "if (performance.now() - begun > CHECKED_MS) {",
      replace: "if (false) {",
      specs: ["api/revocation"],
      grep: "while a request's body arrives",
    },
    {
      name: "a key that ends while a raw body arrives writes",
      find: "yield* body;\n    if (performance.now() - begun > CHECKED_MS) await credentialOf(caller, audience).assertLive();",
      replace: "yield* body;",
      specs: ["api/revocation"],
      grep: "while a request's body arrives",
    },
    {
      name: "a short Idempotency-Key is taken without a key",
      find: "if (key !== undefined) assertUnshared(operation, caller, key);",
      specs: ["fault/caller-limits"],
      grep: "a short Idempotency-Key",
    },
    {
      name: "requests are not counted",
      find: "if (!isFree || operation.takesArrivals) {",
      replace: "if (isCounted && operation.takesArrivals) {",
      specs: ["fault/caller-limits"],
      grep: "A key's rate limit",
    },
  ]),
  ...mutantsOf({ file: "lib/api/route.ts", specs: [MATRIX] }, [
    {
      name: "a key in the wrong place is ignored",
      find: "refuseMisplacedKey(request.headers, splitUrl(request.url).search, audience);",
      specs: ["api/me"],
      grep: "A key outside Authorization",
    },
    {
      name: "a repeat gets the stored response with an ended key",
      find: "if (!check.isDone && !isUnavailable) await check.run();",
      specs: ["api/revocation"],
      grep: "creates no more once it has ended",
    },
    {
      name: "a foreign page is not noticed",
      find: 'markForeignPage(await authentication, headers.get("origin"))',
      replace: "await authentication",
      specs: ["fault/foreign-pages"],
    },
  ]),
  ...mutantsOf({ specs: ["fault/foreign-pages"], grep: "cannot make the service send" }, [
    {
      name: "a foreign page runs a schedule of this machine",
      file: "lib/resources/schedules/runs.ts",
      find: "assertTargetReachable(caller, target);",
    },
    {
      name: "what a foreign page runs may go to a name of this machine",
      file: "lib/resources/schedules/runs.ts",
      find: "stored.public_only || caller.foreignPage !== undefined",
      replace: "stored.public_only",
    },
    {
      name: "a foreign page changes a schedule of this machine",
      file: "lib/resources/schedules/service.ts",
      find: "assertUpdatable: (row, caller) => assertTargetReachable(caller, targetOf(row)),",
    },
    {
      name: "a foreign page ends a question that replies to this machine",
      file: "lib/resources/questions/answer.ts",
      find: "assertReplyReachable(caller, replyToOf(row));",
    },
    {
      name: "a foreign page answers by the form of a question's link",
      file: "app/(site)/answer/actions.ts",
      find: "{ ...anonymous, foreignPage: caller.foreignPage }",
      replace: "anonymous",
      pages: true,
    },
    {
      name: "the reply to a question that a foreign page changed may go to a name of this machine",
      file: "lib/resources/questions/service.ts",
      find: "public_only = public_only OR coalesce((changes).public_only, false),",
      replace: "public_only = public_only,",
    },
  ]),
  ...mutantsOf({ file: "lib/identity/keys/live-key.ts", specs: ["api/api-keys"] }, [
    {
      name: "a revoked key works",
      find: "api_keys.revoked_at IS NULL\n",
      replace: "true\n",
      grep: "A revoked key is refused",
    },
    {
      name: "a key works after its expiry",
      find: "OR api_keys.expires_at > unix_now())",
      replace: "OR true)",
      grep: "until the second of its expires_at",
    },
    {
      name: "a key works in the second of its expiry",
      find: "OR api_keys.expires_at > unix_now())",
      replace: "OR api_keys.expires_at >= unix_now())",
      grep: "until the second of its expires_at",
    },
    {
      name: "a key of a revoked registration works",
      find: "agent.id = api_keys.registration_id) IS NULL",
      replace: "agent.id = api_keys.registration_id AND false) IS NULL",
      specs: ["api/key-rotation"],
      grep: "A key of a revoked registration",
    },
    {
      name: "the claim of an agent writes all keys that have ended",
      find: "OR: [{ expires_at: null }, { expires_at: { gt: now } }]",
      replace: "OR: [{ expires_at: null }, { expires_at: { gt: 0 * now } }]",
      specs: ["api/key-rotation"],
      grep: "lose neither request",
    },
  ]),
  {
    name: "the revocation of an agent writes all keys that have ended",
    file: "lib/identity/keys/end-keys.ts",
    find: "\n          AND (expires_at IS NULL OR expires_at > unix_now() OR id = ${named})",
    specs: ["api/key-rotation", "api/agent-auth-revoke"],
    grep: "and ended keys are not written|writes no agent whose keys have ended",
  },
  {
    name: "the log does not say that an agent ended with its key",
    file: "lib/identity/keys/end-keys.ts",
    find: "const id = ended[0]?.registration_id;",
    replace: "const id = null;",
    specs: ["api/key-rotation"],
    grep: "revokes both keys and their agent",
  },
  {
    name: "a key is rotated without end",
    file: "lib/identity/keys/own-key.ts",
    find: "await countTry(`rotations:${same.registration_id ?? first_id ?? id}`, ROTATION_LIMIT, tx);",
    specs: ["api/key-rotation"],
    grep: "An agent rotates its keys 1000 times a day",
  },
  {
    name: "the operator's key is installed again after its organization was deleted",
    file: "lib/identity/people/deletion.ts",
    find: "await assertNotBootstrap(tx, organizationId);",
    replace: "void assertNotBootstrap;",
    specs: ["fault/server-start"],
    grep: "BOOTSTRAP_API_KEY is installed once",
  },
  ...mutantsOf({ file: "lib/identity/keys/keys.ts", specs: ["fault/server-start"] }, [
    {
      name: "the operator's key is of an organization that somebody else has named so",
      find: "SELECT FROM members WHERE organization_id = organizations.id",
      replace: "SELECT FROM members WHERE false",
      grep: "BOOTSTRAP_API_KEY is installed once",
    },
    {
      name: "the name of an organization goes before the ID of another",
      find: "ORDER BY id = ${nameOrId} DESC, id LIMIT 1",
      replace: "ORDER BY id LIMIT 1",
      grep: "finds an organization that has members",
    },
  ]),
  ...mutantsOf({ file: "lib/identity/authenticate.ts", specs: ["api/api-keys"] }, [
    {
      name: "an access token is taken at another audience",
      find: "if (found.audience !== audience) {",
      replace: "if (found.audience !== audience && false) {",
      specs: ["api/oauth-token", "api/mcp-session", "api/oauth-sdk"],
    },
    {
      name: "an access token works after its expiry",
      find: "AND token.expires_at > unix_now()\n",
      replace: "\n",
      specs: ["api/oauth-token"],
      grep: "ends at its expires_at",
    },
    {
      name: "a token of a revoked grant works",
      find: "      AND revoked_at IS NULL AND api_keys.expires_at > unix_now()",
      replace: "      AND api_keys.expires_at > unix_now()",
      specs: ["api/oauth-token"],
      grep: "Revoking either token",
    },
    {
      name: "the meter of a rotated key is new",
      find: "coalesce(registration_id, first_id, id) AS meter",
      replace: "coalesce(registration_id, id) AS meter",
      specs: ["fault/caller-limits"],
      grep: "has no rate limit of its own",
    },
  ]),
  ...mutantsOf({ file: "lib/identity/keys/remembered-keys.ts", specs: ["api/revocation"] }, [
    {
      name: "a lone create works with an ended key",
      find: "SELECT '${raw(scope)}' = ANY (api_keys.scopes) AND ${isLive} FROM",
      replace: "SELECT '${raw(scope)}' = ANY (api_keys.scopes) FROM",
      grep: "creates no more once it has ended",
    },
    {
      name: "a lone create works with a key that has lost its scope",
      find: "SELECT '${raw(scope)}' = ANY (api_keys.scopes) AND ${isLive} FROM",
      replace: "SELECT ${isLive} FROM",
      grep: "creates no more once it has ended",
    },
  ]),
  ...mutantsOf({ file: "lib/platform/db/loader.ts", specs: ["api/revocation"] }, [
    {
      name: "a lone read works with an ended key",
      find: "if (rows[0]?.is_live) check?.pass();",
      replace: "check?.pass();",
      grep: "reads no more once it has ended",
    },
  ]),
  ...mutantsOf({ file: "lib/identity/credential.ts", specs: ["api/revocation"] }, [
    {
      name: "a request that waits outlives its key",
      find: "if (!key || (key.ms !== null && key.ms <= 0)) throw invalidKey(undefined, audience);",
      replace: "if (!key) return undefined;",
      grep: "A waiting long poll",
    },
    {
      name: "no request that waits hears of a revocation",
      find: "topics: [credentialTopic(caller.keyId)],",
      replace: "topics: [],",
      grep: "A waiting long poll",
      reason: "A request that waits also asks by itself, again and again.",
    },
  ]),
  ...mutantsOf({ file: "lib/resources/claimable.ts", specs: ["api/claims"] }, [
    {
      name: "a claim takes what has an owner",
      find: "AND organization_id IS NULL AND ${isWanted}",
      replace: "AND ${isWanted}",
      specs: ["api/claim"],
      grep: "Of fifty parallel claims",
    },
    {
      name: "a claim does not lock what it takes",
      find: "ORDER BY id FOR NO KEY UPDATE\n",
      replace: "ORDER BY id\n",
      specs: ["api/claim", "api/claims"],
      grep: "Of fifty parallel claims|Of parallel claims of one set",
      reason: "The set's advisory lock, which each claim takes first, decides between claims.",
    },
    {
      name: "a single claim takes the whole set",
      find: "only === undefined ? sql`true` : isOrIsMadeFor(only)",
      replace: "sql`true`",
      specs: ["api/claim-closes"],
      grep: "A single claim takes",
    },
  ]),
  ...mutantsOf({ file: "lib/resources/claim-set.ts", specs: ["api/claims"] }, [
    {
      name: "a create does not wait for a claim of its set",
      find: 'await lockName(db, "claim", digest);',
      grep: "Creates that race with a claim|A claim under way",
    },
    {
      name: "a create joins a set that has an owner",
      find: "if (set.owned > 0) {",
      replace: "if (set.owned > 1000) {",
      grep: "No resource can join a set that has an owner",
    },
    {
      name: "a token creates without end",
      find: "set.created >= CLAIM_SET_MAX",
      replace: "set.created >= CLAIM_SET_MAX * 10",
      grep: "At most 100 resources",
    },
    {
      name: "an unknown token starts a set",
      find: "if (!set || set.members === 0) return undefined;",
      replace: "if (!set) return undefined;",
      grep: "A token that claims nothing",
    },
    {
      name: "a create with a key joins a set",
      find: 'if (caller.kind !== "anonymous") {\n    throw invalidParam(\n      CLAIM_WITH,',
      replace: 'if (caller.kind === "user") {\n    throw invalidParam(\n      CLAIM_WITH,',
      grep: "Claim-With is refused with a key",
    },
  ]),
  {
    name: "a page searches after its session has ended",
    file: "app/_shared/search-turn.ts",
    find: "if (performance.now() - since > CHECKED_MS) await assertSignedInAs(caller);",
    specs: ["fault/page-searches"],
    grep: "once its session has ended",
  },
  {
    name: "a bulk change goes on after its session has ended",
    file: "app/_shared/act.ts",
    find: "    await checked();\n",
    specs: ["fault/forms-flood"],
    grep: "A bulk change ends with the session",
  },
  {
    name: "a claim of several goes on after its membership has ended",
    file: "app/(site)/claim/actions.ts",
    find: "attempt(() => claimSet({ body: { claim_token, dry_run } }));",
    replace:
      "attempt(() => act<ClaimSet>(claims.claimAll, { body: { claim_token, dry_run }, as }));",
    specs: ["fault/forms-flood"],
    grep: "A bulk claim ends",
  },
  {
    name: "a download begins after its session has ended",
    file: "app/(dashboard)/_shared/body-route.ts",
    find: "if (performance.now() - since > CHECKED_MS) await assertSignedInAs(caller);",
    specs: ["fault/page-searches"],
    grep: "A download that waits",
  },
  {
    name: "an export goes on after its key has ended",
    file: "lib/api/export.ts",
    find: "await asked.credential.assertLive();",
    specs: ["fault/searches", "api/export"],
    grep: "while its key ended|when its key is revoked",
  },
  ...mutantsOf({ file: "lib/resources/claim-token.ts", specs: ["api/claim"] }, [
    {
      name: "any claim token proves the creator",
      find: "isSameSecret(digestOf(token), digest)",
      replace: "isSameSecret(digest, digest)",
      specs: ["api/claim-closes"],
      grep: "a wrong token changes nothing",
    },
    {
      name: "wrong tokens are not counted",
      find: "await countWrongToken(client);",
      specs: ["api/claims"],
      grep: "Wrong tokens are limited",
    },
    {
      name: "a change without the token is not marked",
      find: "OR (${table}.organization_id IS NULL AND NOT ${byCreator})",
      replace: "OR (${table}.organization_id IS NULL AND NOT ${byCreator} AND false)",
      specs: ["api/claim-closes"],
      grep: "Every kind says that it was changed",
    },
  ]),
];
