import * as z from "zod";
import { instantAt } from "@/lib/api/forms/local-time";
import { invalidParam } from "@/lib/platform/errors";
import { entityTag } from "@/lib/platform/http/conditional";
import { fieldAt, unwrap } from "@/lib/platform/http/schema-fields";
import { isTimezone } from "@/lib/resources/schedules/timing";

/** The text of a field with `\n` line breaks; browsers send `\r\n`. */
export function textField(data: FormData, name: string): string {
  return String(data.get(name) ?? "").replaceAll("\r\n", "\n");
}

/** The path parameters of the event that a form is about. */
export function eventParams(data: FormData) {
  return { id: textField(data, "id"), eventId: textField(data, "event") };
}

/**
 * A whole number, perhaps with commas as in "10,000"; undefined if the field is empty. Throws 400 for
 * anything else.
 */
export function numberField(data: FormData, name: string): number | undefined {
  const typed = textField(data, name).trim();
  if (typed === "") return undefined;
  const digits = /^\d{1,3}(,\d{3})+$/.test(typed) ? typed.replaceAll(",", "") : typed;
  if (!/^\d{1,15}$/.test(digits)) throw invalidParam(name, "Enter a whole number.");
  return Number(digits);
}

/** The time of an `InstantField` in Unix seconds; null if empty. Throws 400 if it is invalid. */
function instantField(data: FormData, name: string): number | null {
  return instantOf(data, name, textField(data, name));
}

/** The time that was typed into an `InstantField`, in Unix seconds. */
export function instantOf(data: FormData, name: string, typed: string): number | null {
  if (typed === "") return null;
  const zone = textField(data, `${name}_zone`) || "UTC";
  const unix = isTimezone(zone) ? instantAt(typed, zone) : undefined;
  if (unix === undefined) throw invalidParam(name, "Enter a date and a time.");
  return unix;
}

/**
 * The contract's fields that a form has, as the API takes them: a number, an instant, or a text,
 * which is null if it is empty and may be.
 */
export function fieldsIn(schema: z.ZodObject, data: FormData): Record<string, unknown> {
  const names = Object.keys(schema.shape).filter((name) => data.has(name));
  return Object.fromEntries(
    names.map((name) => {
      const field = fieldAt(schema, [name]);
      const missing = field?.safeParse(null).success ? null : undefined;
      if (data.has(`${name}_before`)) return [name, instantField(data, name)];
      const isNumber = unwrap(field) instanceof z.ZodNumber;
      if (isNumber) return [name, numberField(data, name) ?? missing];
      return [name, textField(data, name) || (missing === null ? null : "")];
    }),
  );
}

/** The fields that the user changed. The others may contain characters that a form cannot show. */
export function changedFields(
  data: FormData,
  fields: Record<string, unknown>,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => isChanged(data, name)));
}

/** Whether a field has another value than the form showed when it opened. */
export function isChanged(data: FormData, name: string): boolean {
  if (data.has(`${name}_before`)) {
    // The field may have shown the instant with less precision.
    return instantField(data, name) !== instantOf(data, name, textField(data, `${name}_before`));
  }
  return entityTag(textField(data, name)) !== textField(data, `shown_${name}`);
}

/** Throws 400 unless the user typed the confirmation word. */
export function assertConfirmed(data: FormData, word: string): void {
  if (textField(data, "typed").trim() === word) return;
  throw invalidParam("typed", `Type ${word} to confirm. Nothing was removed.`);
}
