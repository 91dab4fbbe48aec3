import { config } from "@/lib/platform/config/config";

/** The text of `/.well-known/security.txt` (RFC 9116), valid for six to seven months from `now`. */
export function securityText(now: Date): string {
  const { baseUrl, securityContact } = config();
  // The first of a month, so that the document changes once a month.
  const expires = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 7, 1));
  return `Contact: ${securityContact}
Expires: ${expires.toISOString().replace(".000Z", "Z")}
Preferred-Languages: en
Canonical: ${baseUrl}/.well-known/security.txt
Policy: ${baseUrl}/docs/security
`;
}
