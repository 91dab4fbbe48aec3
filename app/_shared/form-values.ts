import { choicesOf } from "@/lib/resources/questions/choices";
import type { Form, FormAnswer, FormField } from "@/lib/resources/questions/form";

/** The name of a field of a question's form in the page. */
export function inputName(key: string): string {
  return `answer.${key}`;
}

/** The value of a field; undefined if it was not answered. */
export function valueFor(answer: FormAnswer, key: string): unknown {
  // It may be named `constructor`.
  return Object.hasOwn(answer, key) ? answer[key] : undefined;
}

/** The values of a form as people read them, one a line. */
export function formWords({ properties }: Form, answer: FormAnswer): string {
  const lines = Object.entries(properties).map(([key, field]) => {
    const value = valueFor(answer, key);
    return value === undefined ? [] : [`${field.title ?? key}: ${wordsOf(field, value)}`];
  });
  return lines.flat().join("\n");
}

function wordsOf(field: FormField, value: unknown): string {
  if (typeof value === "boolean") return value ? "Yes" : "No";
  const words = new Map(choicesOf(field));
  return [value]
    .flat()
    .map((one) => words.get(String(one)) ?? String(one))
    .join(", ");
}
