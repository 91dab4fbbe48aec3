import type { Claimed } from "@/lib/resources/claims/contract";

/** More than a form shows. */
const LINES_MAX = 100_000;

/**
 * A claim as text, for the result of a form. Without scripts a form sends its last result, and may
 * have only so many values (lib/platform/http/form-size.ts).
 */
export function asText(covered: Claimed): string {
  return JSON.stringify(covered);
}

/** The inverse of `asText`; null without a text. */
export function fromText(text: string | undefined): Claimed | null {
  return JSON.parse(text ?? "null");
}

/** One field for all IDs, since the number of fields in a form is limited. */
export function seenField(covered: Claimed): string {
  return shownIds(covered).join("\n");
}

/** What a form with that field says the person has seen. */
export function seenIn(data: FormData): string[] {
  return String(data.get("seen") ?? "").split(/\r?\n/, LINES_MAX);
}

/** The IDs in a claim that the person must have seen: its resources, what ends and what stops. */
export function shownIds({ data, settings }: Claimed): string[] {
  const created = data.filter(({ made_by }) => made_by === null);
  const ending = settings.filter(({ survives_claim }) => !survives_claim);
  const stopping = data.filter(({ stops }) => stops);
  return [
    ...created.map(({ id }) => id),
    ...ending.map(({ resource_id, setting, value }) => `ends ${resource_id} ${setting} ${value}`),
    ...stopping.map(({ id }) => `stops ${id}`),
  ];
}
