/** Words that people type, and the words of the documents for the same. */
const GROUPS: readonly [typed: string, written: string][] = [
  ["orm psql sql", "prisma database"],
  ["docker podman kubernetes k8s compose", "containers"],
  ["env environment dotenv setting option", "configuration"],
  ["faq help problem debug", "troubleshooting"],
  ["quota throttle throttling", "limits"],
  ["semver breaking compatibility", "versions"],
  ["uninstall reset wipe", "data"],
  ["todo ticket issue", "tasks"],
  ["callback reminder", "messages"],
  ["document file upload", "artifacts"],
  ["queue job", "inboxes"],
  ["recurring timer", "schedules cron"],
  ["sdk npm library", "client"],
  ["terminal shell", "command line"],
  ["login signin sso", "sign oauth"],
  ["key", "keys"],
  ["sse websocket realtime", "stream"],
  ["dlq poison", "dead letters"],
  ["dedupe duplicate", "twice dedup_id"],
  ["ssl https certificate", "tls"],
  ["host hosting", "deployment"],
  ["monitoring prometheus", "metrics"],
];

/** The words that the documents use, by the word that was typed. */
export const synonyms: ReadonlyMap<string, readonly string[]> = new Map(
  GROUPS.flatMap(([typed, written]) =>
    typed.split(" ").map((word): [string, string[]] => [word, written.split(" ")]),
  ),
);
