import MiniSearch, { type Options, type SearchOptions } from "minisearch";

/** An entry of the search index: a section of a page. */
export interface SearchEntry {
  /** Its address: `/docs/tasks#leases`. */
  id: string;
  page: string;
  title: string;
  text: string;
}

export type SearchResult = SearchEntry & { terms: string[] };

const OPTIONS: Options<SearchEntry> = {
  fields: ["title", "page", "text"],
  storeFields: ["title", "page", "text"],
  // MiniSearch splits at spaces and punctuation only: symbols stay in words, as in `message=$`.
  tokenize: (text) => text.match(/[\p{L}\p{N}]+/gu) ?? [],
  processTerm: (term) => stem(term.toLowerCase()),
};

/** Words that occur in nearly every section. */
const COMMON = new Set(
  "a an and are as at be by can do does for from has have how i in is it its my of on or that the this to what when where which who why with you your".split(
    " ",
  ),
);

/** Reduces a word roughly to its singular and base form; null drops it. */
function stem(word: string): string | null {
  if (COMMON.has(word)) return null;
  if (word.length <= 4) return word;
  return word
    .replace(/ies$/, "y")
    .replace(/(?<=[^s])s$/, "")
    .replace(/(?:ing|ed)$/, "")
    .replace(/e$/, "");
}

/** A word of a query, reduced, and those that the documents have for it. */
function termsOf(word: string): string[] {
  const typed = word.toLowerCase();
  const others = synonyms.get(typed) ?? synonyms.get(typed.replace(/s$/, "")) ?? [];
  return [typed, ...others].flatMap((one) => stem(one) ?? []);
}

/** The index as JSON text, for `openSearch`. */
export function buildSearch(entries: readonly SearchEntry[]): string {
  const index = new MiniSearch(OPTIONS);
  index.addAll(entries);
  return JSON.stringify(index);
}

/** The best sections for some words, best first. */
type Search = (words: string) => SearchResult[];

const RESULTS_MAX = 12;

export function openSearch(json: string): Search {
  const index = MiniSearch.loadJSON(json, OPTIONS);
  const options: SearchOptions = {
    boost: { title: 4, page: 2 },
    boostDocument: weightOf,
    processTerm: termsOf,
    prefix: true,
    fuzzy: (term) => (term.length > 5 ? 0.2 : false),
  };
  return (words) => {
    const found = index.search(words, options);
    return found.slice(0, RESULTS_MAX).map(({ id, page, title, text, terms }) => {
      return { id, page, title, text, terms };
    });
  };
}

/** People search for guides and operations more often than for the project's history. */
function weightOf(id: string): number {
  if (/changelog/.test(id)) return 0.3;
  return /^\/docs(?:#|\/reference|\/tour)/.test(id) ? 0.8 : 1;
}

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
const synonyms: ReadonlyMap<string, readonly string[]> = new Map(
  GROUPS.flatMap(([typed, written]) =>
    typed.split(" ").map((word): [string, string[]] => [word, written.split(" ")]),
  ),
);
