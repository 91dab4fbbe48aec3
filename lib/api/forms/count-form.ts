import { countByNetwork, countRecentUse } from "@/lib/platform/limits/sliding-window";

/** More than a person would send. */
const FORMS = { limit: 120, windowSeconds: 60 };

/** Counts a form submission per session or, if signed out, per network. Throws 429. */
export async function countForm(sessionId: string | null, ip: string | null): Promise<void> {
  await (sessionId === null
    ? countByNetwork("form", ip, FORMS)
    : countRecentUse(`form:${sessionId}`, FORMS));
}
