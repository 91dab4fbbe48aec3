import { instantAt } from "@/lib/api/forms/local-time";
import type { ErrorCode } from "@/lib/platform/errors";
import type { Question } from "@/lib/resources/questions/contract";
import type { Form, FormAnswer, FormField } from "@/lib/resources/questions/form";
import { isTimezone } from "@/lib/resources/schedules/timing";
import { inputName } from "./form-values";

/** Why a question did not take an answer, where a person needs other words than a program. */
export const REFUSALS: Partial<Record<ErrorCode, string>> = {
  question_answered: "Someone else has already answered.",
  precondition_failed: "The question has changed. Read it again before you answer.",
};

/** The answer in a page's form; undefined if it has none. */
export function answerOf(data: FormData, { form }: Question): string | FormAnswer | undefined {
  const given = data.get("answer");
  if (given === null) return undefined;
  return form ? valuesIn(data, form) : String(given).replaceAll("\r\n", "\n");
}

function valuesIn(data: FormData, { properties, required = [] }: Form): FormAnswer {
  const given = Object.entries(properties).map(([key, field]) => [
    key,
    valueIn(data, inputName(key), field, required.includes(key)),
  ]);
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}

/** Undefined if the field is empty. Text that is not a valid value is passed on, and the service refuses it. */
function valueIn(data: FormData, name: string, field: FormField, isRequired: boolean): unknown {
  if (field.type === "boolean") return data.has(name);
  if (field.type === "array") {
    const chosen = data.getAll(name).map(String);
    return chosen.length > 0 || isRequired ? chosen : undefined;
  }
  const text = String(data.get(name) ?? "").replaceAll("\r\n", "\n");
  if (text === "") return undefined;
  if (field.type !== "string") return Number.isNaN(Number(text)) ? text : Number(text);
  if (field.format !== "date-time") return text;
  const zone = String(data.get(`${name}_zone`) ?? "UTC");
  const unix = isTimezone(zone) ? instantAt(text, zone) : undefined;
  return unix === undefined ? text : new Date(unix * 1000).toISOString();
}
