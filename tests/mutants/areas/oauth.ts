// biome-ignore-all lint/suspicious/noTemplateCurlyInString: These are parts of templates.
import { type Mutant, mutantsOf } from "../mutant";

const CODES_END = "prisma/migrations/20261128100000_agents_with_live_keys/migration.sql";

/** What a code, a token and a redirect of OAuth are good for. */
export const oauth: readonly Mutant[] = [
  {
    name: "clients that a page does not show are not mentioned",
    file: "lib/identity/keys/grants.ts",
    find: "(rows[0]?.total ?? 0) - rows.length",
    replace: "0",
    pages: true,
    specs: ["api/oauth-grants"],
    grep: "says how many grants it does not show",
  },
  ...mutantsOf({ file: "lib/identity/oauth/token.ts", specs: ["api/oauth-token"] }, [
    {
      name: "a code needs no verifier",
      find: "code?.client_id !== clientId || !isChallengeOf(verifier, code.challenge)",
      replace: "code?.client_id !== clientId",
      grep: "A code that others have seen",
    },
    {
      name: "a code works twice",
      find: "if (code.grant_id !== null) {",
      replace: "if (code.grant_id !== null && false) {",
      grep: "A code works once",
    },
    {
      name: "a code works after its expiry",
      find: "if (code.is_expired) throw unknownCode();",
      grep: "A code expires after 60 seconds",
    },
    {
      name: "two exchanges of a code do not wait for each other",
      find: "WHERE digest = ${digest} FOR UPDATE`",
      replace: "WHERE digest = ${digest}`",
      grep: "Of two exchanges of a code",
    },
    {
      name: "a code of a person who has left works",
      find: "if (!code.is_member) throw unknownCode();",
      grep: "A code of a person who has left",
    },
    {
      name: "a code outlives the membership",
      file: CODES_END,
      find: "DELETE FROM oauth_codes\n  WHERE ",
      replace: "DELETE FROM oauth_codes\n  WHERE false AND ",
      grep: "A code of a person who has left",
    },
    {
      name: "a code takes any redirect_uri",
      find: "redirectUri !== undefined && redirectUri !== code.redirect_uri",
      replace: "redirectUri !== undefined && redirectUri === code.client_id",
      grep: "Wrong requests|redirect_uri|useless to them",
    },
  ]),
  ...mutantsOf({ file: "lib/identity/oauth/refresh.ts", specs: ["api/oauth-token"] }, [
    {
      name: "a refresh token works twice",
      find: "if (grant.token_digest !== sent.digest) {",
      replace: "if (grant.token_digest !== sent.digest && false) {",
      grep: "A reused refresh token",
    },
    {
      name: "two refreshes do not wait for each other",
      find: "WHERE family_digest = ${sent.familyDigest} FOR UPDATE`",
      replace: "WHERE family_digest = ${sent.familyDigest}`",
      grep: "Of two refreshes at once",
    },
    {
      name: "a grant is refreshed after its end",
      find: "if (grant.is_ended) throw unknownToken();",
      grep: "A grant ends after 30 days",
    },
    {
      name: "a refresh widens scopes",
      find: "if (wanted.every((one) => granted.includes(one))) return wanted;",
      replace: "if (wanted.length > 0) return wanted;",
      grep: "A refresh cannot widen scopes",
    },
    {
      name: "a grant is refreshed without end",
      find: "Math.min(idleEnd, created_at + GRANT_SECONDS_MAX)",
      replace: "Math.max(idleEnd, created_at)",
      grep: "A grant ends after 30 days",
    },
  ]),
  {
    name: "a 401 of OAuth has no challenge",
    file: "lib/identity/oauth/error.ts",
    find: "error.status === 401 ? challenge(error) : {}",
    replace: "error.status === 401 ? {} : {}",
    specs: ["api/oauth-token"],
    grep: "Wrong requests",
  },
  {
    name: "a client registers with a part of its metadata",
    file: "lib/identity/oauth/operations.ts",
    find: "document, { excessive });",
    replace: "document, { excessive: excessive && false });",
    specs: ["api/oauth-register"],
    grep: "Wrong metadata",
  },
  {
    name: "pages that wait for a client's document keep their turns",
    file: "lib/identity/oauth/client-document.ts",
    find: "return aside(() => document);",
    replace: "return document;",
    pages: true,
    specs: ["api/oauth-documents"],
    grep: "keep no other page waiting",
  },
  {
    name: "a client's document may be on our own host",
    file: "lib/identity/oauth/client-document.ts",
    find: 'if (isOwnHost(url, "hostname")) throw invalidClient("must not be on this host");',
    pages: true,
    specs: ["api/oauth-authorize"],
    grep: "A client's URL on our own host",
  },
  ...mutantsOf({ file: "lib/identity/oauth/redirect-uri.ts", specs: ["unit/oauth-redirects"] }, [
    {
      name: "http redirects anywhere",
      find: 'return LOOPBACK.test(uri) ? undefined : "uses http, which only loopback addresses may";',
      replace: "return undefined;",
    },
    {
      name: "a redirect URI may have a fragment",
      find: 'if (uri.includes("#")) return "has a fragment";',
    },
    {
      name: "a redirect URI may have credentials",
      find: 'url.username !== "" || url.password !== "" || ',
      reason: "The pattern after it finds them too.",
    },
    {
      name: "any scheme redirects",
      find: "if (PRIVATE_SCHEME.test(scheme) || KNOWN_SCHEMES.includes(scheme)) return undefined;",
      replace: "return undefined;",
    },
    {
      name: "any host may spell itself as another",
      find: "return uri.startsWith(`https://${url.host}`) ? undefined",
      replace: "return uri.startsWith(`https://`) ? undefined",
    },
  ]),
  ...mutantsOf({ file: "lib/identity/oauth/device.ts", specs: ["api/oauth-device"] }, [
    {
      name: "a device code works after its expiry",
      find: "if (device.is_expired) {",
      replace: "if (device.is_expired && false) {",
      grep: "a late code",
    },
    {
      name: "a code that a person's terminal shows counts as a guess",
      find: "await refundUse(guesses);",
      pages: true,
      specs: ["fault/oauth-device-limits"],
    },
    {
      name: "another site uses up a person's guesses",
      file: "app/(site)/oauth/device/page.tsx",
      find: 'site === "cross-site" || site === "same-site"',
      replace: 'site === "same-site"',
      pages: true,
      specs: ["fault/oauth-device-limits"],
    },
    {
      name: "a device code works for any client",
      find: "if (device?.client_id !== clientId) throw unknownDevice();",
      replace: "if (!device) throw unknownDevice();",
      grep: "a wrong client",
    },
    {
      name: "what a person allowed a device outlives the membership",
      file: CODES_END,
      find: "DELETE FROM oauth_device_codes\n  WHERE ",
      replace: "DELETE FROM oauth_device_codes\n  WHERE false AND ",
      grep: "What a person has allowed ends",
    },
    {
      name: "a second decision about a device counts",
      find: "if (count === 0) throw unknownUserCode();",
      pages: true,
      grep: "Of two decisions at once",
    },
    {
      name: "the tokens of a device are given twice",
      find: "await tx.oAuthDeviceCode.delete({ where: { digest }, select: { digest: true } });",
      grep: "A person's code connects the program once",
    },
  ]),
];
