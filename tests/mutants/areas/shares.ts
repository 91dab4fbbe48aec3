// biome-ignore-all lint/suspicious/noTemplateCurlyInString: These are parts of templates.
import { type Mutant, mutantsOf } from "../mutant";

const SHARES = "api/artifacts-share";

/** What a share link shows, to whom, and what a raw document may do. */
export const shares: readonly Mutant[] = [
  ...mutantsOf({ file: "lib/platform/signed-id.ts", specs: [SHARES] }, [
    {
      name: "a share link needs no signature",
      find: "isSameSecret(token.slice(-SIGNATURE_LENGTH), signatureOf(purpose, id)) ? id : undefined",
      replace: "signatureOf(purpose, id).length === SIGNATURE_LENGTH ? id : undefined",
      grep: "cannot be forged",
    },
    {
      name: "all share links have one signature",
      find: ".update(`${purpose}:${id}`)",
      replace: ".update(`${purpose}:${id.slice(0, 4)}`)",
      grep: "cannot be forged",
    },
  ]),
  ...mutantsOf({ file: "lib/resources/artifacts/shared.ts", specs: [SHARES] }, [
    {
      name: "a revoked share link works",
      find: "CASE WHEN revoked THEN 'revoked'",
      replace: "CASE WHEN false THEN 'revoked'",
      grep: "A dead link says",
    },
    {
      name: "an expired share link works",
      find: "WHEN expires_at <= unix_now() THEN 'expired'",
      replace: "WHEN false THEN 'expired'",
      grep: "A dead link says",
    },
    {
      name: "a stranger's share link survives a claim",
      find: "WHEN NOT (by_creator OR share.organization_id IS NOT DISTINCT FROM owner)",
      replace: "WHEN false",
      grep: "A claim revokes links",
    },
  ]),
  ...mutantsOf({ file: "lib/resources/artifacts/shares.ts", specs: [SHARES] }, [
    {
      name: "a share link does not notice a claim that commits first",
      find: "FROM artifacts WHERE id = ${id} AND ${unchangedSinceRead(row, undefined)}\n        AND (",
      replace:
        "FROM artifacts WHERE id = ${id} AND (true OR ${unchangedSinceRead(row, undefined)})\n        AND (",
      grep: "creates while a claim commits",
    },
    {
      name: "strangers use up the share links of a creator",
      find: "row.organization_id === null ? sql`by_creator = ${byCreator}` : outlives(row)",
      replace: "outlives(row)",
      grep: "cannot use up the links",
    },
    {
      name: "an artifact remembers every share link that ended",
      find: "OFFSET ${ENDED_MAX} LIMIT ${ENDED_MAX}",
      replace: "OFFSET ${ENDED_MAX} LIMIT 0",
      grep: "remembers its newest",
    },
    {
      name: "a claim keeps share links from a revocation",
      find: "return organization_id === row.organization_id ? 0 : revoke(caller, id, which);",
      replace: "return organization_id === row.organization_id ? 0 : 0;",
      grep: "claimed before it writes",
    },
  ]),
  {
    name: "the share links of strangers hide what survives a claim",
    file: "lib/resources/claims/set.ts",
    find: "ORDER BY setting = 'share', NOT survives_claim, resource_id",
    replace: "ORDER BY resource_id",
    specs: ["api/claim-closes"],
    grep: "Share links, however many",
  },
  {
    name: "a revoked share link is offered to copy",
    file: "app/(dashboard)/artifacts/_components/share-link.tsx",
    find: "links.some((link) => link.id === shared.id)",
    replace: "count > 0",
    specs: ["browser/artifacts-pages"],
    grep: "A new share link",
  },
  {
    name: "a fullwidth quotation mark ends the file name of a download",
    file: "lib/resources/artifacts/raw.ts",
    find: "const ascii = fileName(plain, format);",
    replace: "const ascii = plain;",
    specs: ["api/artifacts-raw"],
    grep: "cannot trick a shell",
  },
  ...mutantsOf({ file: "lib/resources/artifacts/raw.ts", specs: ["api/artifacts-raw"] }, [
    {
      name: "raw HTML runs in the service's origin",
      find: 'policy: "sandbox allow-scripts allow-forms',
      replace: 'policy: "sandbox allow-same-origin allow-scripts allow-forms',
      grep: "with every security header",
    },
    {
      name: "raw Markdown is not sandboxed",
      find: 'policy: "sandbox" }',
      replace: 'policy: "default-src *" }',
      grep: "with every security header",
    },
    {
      name: "browsers guess the type of raw content",
      find: '    "X-Content-Type-Options": "nosniff",\n',
      grep: "with every security header",
      reason: "Every response of the API has this header already.",
    },
  ]),
  ...mutantsOf(
    {
      file: "prisma/migrations/20261127191500_time_of_deleted_shares/migration.sql",
      specs: [SHARES],
    },
    [
      {
        name: "an old share link loses its reason with its artifact",
        find: "NEW.created_at := unix_now();",
        replace: "NEW.created_at := OLD.created_at;",
        grep: "After 90 days",
      },
    ],
  ),
];
