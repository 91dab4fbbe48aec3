import { counted } from "@/lib/platform/counted";
import type { Claimed } from "@/lib/resources/claims/contract";
import { kindOf, kinds } from "@/lib/resources/kinds";

type Setting = Claimed["settings"][number];

/** If there are more of a kind, they are counted, not named. */
const NAMED_MAX = 3;

/** What a claim ends, pauses and holds, as sentences. */
export function endsOf(covered: Claimed): string[] {
  const { data } = covered;
  const stopped = data.filter(({ stops }) => stops);
  const messages = stopped.filter(({ kind }) => kind === "messages");
  return [
    ...settingWords(
      covered,
      ({ survives_claim }) => !survives_claim,
      (words, isOne) => `${words} ${isOne ? "ends" : "end"}.`,
    ),
    ...stopped
      .filter(({ kind }) => kind === "schedules")
      .map(({ name }) => `${quoted(name)} is paused until you resume it.`),
    ...stopped
      .filter(({ kind }) => kind === "questions")
      .map(({ name }) => `The reply of ${quoted(name)} is held until you send it.`),
    ...(messages.length > NAMED_MAX
      ? [`${messages.length} messages are held until you send them.`]
      : messages.map(({ name }) => `${quoted(name)} is held until you send it.`)),
  ];
}

/** What acts on its own or lets others in, and continues after a claim. */
export function goesOnOf(covered: Claimed): string[] {
  const stopped = new Set(covered.data.flatMap(({ id, stops }) => (stops ? [id] : [])));
  return settingWords(
    covered,
    ({ survives_claim, resource_id }) => survives_claim && !stopped.has(resource_id),
    (words) => `${words}.`,
  );
}

/** The resources made by others, by kind, such as `2 tasks and 1 message`. */
export function madeWords(covered: Claimed): string {
  const { data } = covered;
  const made = data.filter(({ made_by }) => made_by !== null);
  const counts = kinds.flatMap(({ name, noun }) => {
    const count = made.filter(({ kind }) => kind === name).length;
    return count === 0 ? [] : [counted(count, noun)];
  });
  const isMore = isCut(covered, "data") && made.length > 0;
  return [counts.join(" and "), ...(isMore ? ["more"] : [])].join(", and ");
}

/** Whether the list has more items than are listed. Both lists are cut at the same length. */
function isCut({ data, settings, has_more }: Claimed, list: "data" | "settings"): boolean {
  const { length } = list === "data" ? data : settings;
  return has_more && length === Math.max(data.length, settings.length);
}

function settingWords(
  covered: Claimed,
  isWanted: (setting: Setting) => boolean,
  sentence: (words: string, isOne: boolean) => string,
): string[] {
  const { data, settings } = covered;
  const names = new Map(data.map(({ id, name }) => [id, name]));
  const last = settings.at(-1);
  // Share links come last, and those that survive before the others.
  const isMore = last !== undefined && isWanted(last) && isCut(covered, "settings");
  const wanted = settings.filter(isWanted);
  const links = new Map<string, number>();
  for (const { setting, resource_id } of wanted) {
    if (setting === "share") links.set(resource_id, (links.get(resource_id) ?? 0) + 1);
  }
  return [
    ...wanted.flatMap((one) => {
      const words = wordsOf(one, names);
      return words === undefined ? [] : sentence(words, true);
    }),
    ...[...links].map(([id, count]) => {
      const words = count === 1 ? "A share link" : counted(count, "share link");
      return sentence(`${words} of ${quoted(names.get(id) ?? id)}`, count === 1);
    }),
    ...(isMore ? [sentence("More share links", false)] : []),
  ];
}

/** One setting in words; undefined for share links, which are counted per document. */
function wordsOf({ resource_id, setting, value }: Setting, names: ReadonlyMap<string, string>) {
  const name = quoted(names.get(resource_id) ?? resource_id);
  const place = placeOf(value, names);
  switch (setting) {
    case "forward":
      return `The forward of ${name} to ${place}`;
    case "verification":
      return `The signature check of ${name} (${value})`;
    case "target":
      if (kindOf(resource_id)?.name === "questions") {
        return `The question ${name}, which replies to ${place}`;
      }
      return value === "task"
        ? `The schedule ${name}, which creates tasks`
        : `The schedule ${name}, which sends to ${place}`;
    case "share":
      return undefined;
  }
}

/** The name of a target: that of an inbox claimed with it, else whatever is known. */
function placeOf(value: string, names: ReadonlyMap<string, string>): string {
  const name = names.get(value);
  return name === undefined ? value : quoted(name);
}

function quoted(name: string): string {
  return `“${name}”`;
}
