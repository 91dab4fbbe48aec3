// biome-ignore-all lint/suspicious/noTemplateCurlyInString: These are parts of templates.
import { type Mutant, mutantsOf } from "../mutant";

const SIGN_IN = "api/accounts-sign-in";

/** Who a person is, for how long, and what is known of a key. */
export const people: readonly Mutant[] = [
  {
    name: "one network ends everybody's short codes",
    file: "lib/identity/people/otp-limits.ts",
    find: '      NOT: { source: { startsWith: "browser:" } },\n',
    specs: ["fault/agent-auth"],
    grep: "After 1000 wrong codes",
  },
  {
    name: "a repeated invitation stays below those of strangers",
    file: "lib/identity/organizations/invitations.ts",
    find: '{ expires_at: "desc" }, ',
    specs: [SIGN_IN],
    grep: "An invitation that is repeated",
  },
  {
    name: "an assertion from before a revocation counts if the provider's clock is ahead",
    file: "lib/identity/agents/revoked-subjects.ts",
    find: "greatest(unix_now(), ${Math.ceil(iat)}::bigint)",
    replace: "greatest(unix_now(), 0 * ${Math.ceil(iat)}::bigint)",
    specs: ["api/agent-auth-revoke"],
    grep: "An assertion issued before the revocation",
  },
  {
    name: "a later revocation lets in what an earlier one shut out",
    file: "lib/identity/agents/revoked-subjects.ts",
    find: "greatest(known.revoked_at, excluded.revoked_at)",
    replace: "excluded.revoked_at",
    specs: ["api/agent-auth-revoke"],
    grep: "An assertion issued before the revocation",
  },
  ...mutantsOf({ file: "lib/identity/people/otp.ts", specs: [SIGN_IN] }, [
    {
      name: "a code may be guessed without end",
      find: "AND failures < ${TRIES_PER_CODE}\n",
      replace: "AND failures < ${TRIES_PER_CODE} * 1000\n",
      grep: "Five wrong codes",
    },
    {
      name: "any digits are the code",
      find: "isSameSecret(given, code.mac)",
      replace: "isSameSecret(code.mac, code.mac)",
      grep: "Five wrong codes",
    },
    {
      name: "a mailed code works after its expiry",
      find: "AND activated_at IS NOT NULL AND mac <> '' AND expires_at > unix_now()",
      replace: "AND activated_at IS NOT NULL AND mac <> ''",
      specs: ["api/agent-auth-claim"],
      grep: "In each state",
    },
    {
      name: "a code signs in twice",
      find: "consumed_at = unix_now(), failures = failures - 1, mac = ''",
      replace: "consumed_at = unix_now(), failures = failures - 1",
      also: [
        "AND activated_at IS NOT NULL AND consumed_at IS NULL\n",
        "AND activated_at IS NOT NULL\n",
      ],
      grep: "A sign-in code opens one session",
    },
    {
      name: "a code of a claim signs in",
      find: "WHERE id = ${id} AND purpose = ${purpose} AND failures",
      replace: "WHERE id = ${id} AND failures",
      also: [
        "WHERE id = ${id} AND purpose = ${purpose}\n          AND activated_at",
        "WHERE id = ${id}\n          AND activated_at",
      ],
      grep: "A claim code cannot be used",
    },
    {
      name: "wrong codes of a network are not counted",
      find: "if (counted) await countAttempt(source, tx);",
      grep: "by using up the wrong codes",
    },
    {
      name: "an address is mailed any number of codes",
      file: "lib/identity/people/otp-limits.ts",
      find: "skip: limit - 1,",
      replace: "skip: limit + 1000,",
      grep: "by starting sign-ins from many networks",
    },
    {
      name: "an address can be guessed as often for each purpose",
      file: "lib/identity/people/otp-limits.ts",
      find: "purpose = ANY (${[...purposes]}::text[])",
      replace: "purpose = 'claim'",
      specs: ["api/agent-auth-claim"],
      grep: "of sign-ins too",
    },
    {
      name: "a shared code of a server that died counts as mailed",
      file: "lib/identity/people/prepare-code.ts",
      find: "first && first.created_at > now - MAILING_SECONDS",
      replace: "first",
      grep: "A shared code is mailed again",
    },
    {
      name: "a code whose email waits for the server that died is never mailed",
      file: "lib/identity/people/prepare-code.ts",
      find: 'orderBy: [{ expires_at: "desc" }, { created_at: "asc" }, { id: "asc" }],',
      replace: 'orderBy: [{ id: "desc" }],',
      grep: "A shared code is mailed again",
    },
    {
      name: "an account that was deleted makes an organization",
      file: "lib/identity/organizations/organization.ts",
      find: 'if (!user) throw new ApiError("unauthorized", "This account has been deleted.");',
      grep: "has just been deleted makes no organization",
    },
    {
      name: "a provider joins its user to an account that is being deleted",
      file: "lib/identity/people/users.ts",
      find: "AND email_verified_at IS NOT NULL FOR UPDATE",
      replace: "AND email_verified_at IS NOT NULL",
      specs: ["api/agent-auth-id-jag"],
      grep: "is a new one to a provider",
    },
    {
      name: "a claim is answered with a code that has stopped working",
      file: "lib/identity/agents/claim.ts",
      find: "(latest.digits !== SHORT_DIGITS || !(await areShortCodesGuessed(tx)))",
      replace: "true",
      specs: ["fault/agent-auth"],
      grep: "After 1000 wrong codes",
    },
    {
      name: "a shared code completes every attempt",
      find: "if (window !== null) {",
      replace: "if (window === 0) {",
      grep: "A shared code completes one attempt",
    },
    {
      name: "the code whose email took longest is the one that works",
      find: "if (later) return later;",
      specs: ["api/agent-auth-claim"],
      grep: "Of two attempts the later one counts",
    },
  ]),
  {
    name: "a member who has just been removed revokes a key",
    file: "lib/identity/keys/organization-keys.ts",
    find: "const { userId } = await requireMember(caller, tx);",
    replace: "const { userId } = requirePerson(caller);",
    specs: ["api/ends-of-memberships"],
    pages: true,
    grep: "was about to revoke",
  },
  {
    name: "a grant made while its organization is being deleted works",
    file: "lib/identity/people/deletion.ts",
    find: "await tx.oAuthCode.deleteMany(ofOrganization);",
    specs: ["fault/organization-removal"],
    pages: true,
    grep: "A client that exchanges",
  },
  ...mutantsOf(
    {
      file: "lib/identity/oauth/grant.ts",
      specs: ["api/oauth-grants"],
      grep: "hundredth client is the last",
    },
    [
      {
        name: "clients approved before any of them exchanges its code pass the limit",
        find: '  await assertGrantQuota(user_id, organization_id, "invalid_grant", tx);\n',
      },
      {
        name: "clients that exchange their codes at once are not counted",
        find: '  await lockName(tx, "grants", `${organization_id} ${user_id}`);\n',
      },
    ],
  ),
  {
    name: "a provider's user gets an account beside that of the same address's first sign-in",
    file: "lib/identity/agents/register-assertion.ts",
    find: "return (await findLinkedPrincipal(tx, linkedEmail)) ?? provisionPrincipal(",
    replace: "return provisionPrincipal(",
    specs: ["api/agent-auth-id-jag"],
    grep: "signs in at the same time",
  },
  {
    name: "the repeats of an assertion use up the limit of its provider",
    file: "lib/identity/agents/register-assertion.ts",
    find: "await assertUnused(iss, assertion.jti);",
    specs: ["fault/agent-auth"],
    grep: "Invalid and repeated registrations",
  },
  {
    name: "claim tokens of agents can be guessed at will in local mode",
    file: "lib/identity/agents/limits.ts",
    find: 'if (error instanceof ApiError && error.code === "invalid_claim_token") {',
    replace: "if (false) {",
    specs: ["fault/agent-auth"],
    grep: "Wrong claim tokens of a network",
  },
  {
    name: "an agent with a live key is swept because another one has ended",
    file: "lib/identity/agents/registrations.ts",
    find: "AND (${endedBefore}) IS NOT TRUE)",
    replace: "AND false)",
    specs: ["fault/sweep"],
    grep: "One sweep removes",
  },
  ...mutantsOf({ file: "lib/identity/sessions/sessions.ts", specs: [SIGN_IN] }, [
    {
      name: "a session has no end",
      find: "\n  OR sessions.created_at <= unix_now() - ${SESSION_SECONDS_MAX}::bigint",
      grep: "A session expires",
    },
    {
      name: "an unused session has no end",
      find: "sql`last_seen_at <= unix_now() - ${SESSION_IDLE_SECONDS}::bigint\n  OR ",
      replace: "sql`",
      grep: "A session expires",
    },
    {
      name: "a person ends the session of another",
      find: "deleteMany({ where: { id, user_id: userId } })",
      replace: "deleteMany({ where: { id } })",
      grep: "Signing out ends",
    },
  ]),
  ...mutantsOf({ file: "lib/identity/organizations/members.ts", specs: [SIGN_IN] }, [
    {
      name: "a person acts for any organization",
      find: "if (member) return { kind:",
      replace: "if (member !== undefined) return { kind:",
      grep: "The first sign-in creates",
    },
    {
      name: "an agent joins the oldest organization of its owner",
      find: "ORDER BY created_at, organization_id LIMIT 1",
      replace: "ORDER BY organization_id LIMIT 1",
      specs: ["api/agent-auth-claim"],
      grep: "All agents that a user confirms",
    },
  ]),
  ...mutantsOf(
    { file: "lib/identity/agents/revoked-subjects.ts", specs: ["api/agent-auth-revoke"] },
    [
      {
        name: "an assertion of before a revocation registers",
        find: "if (iat >= Math.max(",
        replace: "if (iat >= 0 * Math.max(",
        grep: "An assertion issued before",
      },
      {
        name: "a revocation ends with the delegation",
        find: "subject?.revoked_at ?? 0,",
        replace: "0 * (subject?.revoked_at ?? 0),",
        grep: "A revocation outlives",
      },
      {
        name: "a revocation is removed while older assertions are valid",
        find: "const KEPT_SECONDS = 2 * LIFETIME_SECONDS_MAX;",
        replace: "const KEPT_SECONDS = LIFETIME_SECONDS_MAX;",
        specs: ["fault/sweep"],
        grep: "One sweep removes",
      },
    ],
  ),
  ...mutantsOf(
    { file: "lib/identity/organizations/invitations.ts", specs: ["api/agent-auth-register"] },
    [
      {
        name: "an invitation whose mail was refused counts",
        find: "if (wasNotSent(error)) {",
        replace: "if (wasNotSent(error) && false) {",
        pages: true,
        grep: "no invitation is stored",
      },
      {
        name: "an invitation that was withdrawn comes back",
        find: "? await renew(tx, open.id, terms)",
        replace:
          '? await tx.invitation.upsert({ where: { organization_id_email: one }, create: { id: newId("inv"), ...one, ...terms }, update: terms, select: { id: true } })',
        pages: true,
        grep: "does not come back",
      },
      {
        name: "strangers make an address impossible to invite",
        find: "await countTry(all, MAIL_LIMIT_OF_ADDRESS, tx).catch(refusalOf);",
        replace: "await countTry(all, MAIL_LIMIT_OF_ADDRESS, tx);",
        specs: [SIGN_IN],
        grep: "five invitations a day|Of two organizations",
      },
      {
        name: "an invitation without a mail counts as one",
        find: "  if (isFull) await refundTry(all, tx);\n",
        specs: [SIGN_IN],
        grep: "Of two organizations",
      },
    ],
  ),
  {
    name: "a removed member joins again by an open invitation",
    file: "lib/identity/organizations/end-membership.ts",
    find: 'const email = user?.email ?? "";',
    replace: 'const email = user ? "" : "";',
    specs: ["api/ends-of-memberships"],
    pages: true,
    grep: "Nothing works through a membership",
  },
  ...mutantsOf({ file: "lib/identity/keys/key-uses.ts", specs: ["fault/key-uses"] }, [
    {
      name: "a later write forgets the uses of the day",
      find: "THEN ${slot} & 4294967295 ELSE 0 END",
      replace: "THEN 0 ELSE 0 END",
    },
    {
      name: "uses of a key that another server writes are lost",
      find: "for (const { id } of await writeUses(taken)) putBack(id);",
      replace: "await writeUses(taken);",
    },
    {
      name: "a server that stops does not write uses",
      find: "undefined, { ref: false, signal: stopping.signal })",
      replace: "undefined, { ref: false })",
    },
  ]),
];
