import { countRecentUse, networkOf } from "@/lib/http/sliding-window";

/** More than a person sends. */
const FORMS = { limit: 120, windowSeconds: 60 };

/** Counts one form of a session, or of a network where nobody is signed in. Throws 429. */
export async function countForm(sessionId: string | null, ip: string | null): Promise<void> {
  await countRecentUse(`form:${sessionId ?? networkOf(ip)}`, FORMS);
}
