interface Titled {
  const: string;
  title: string;
}

/** A field of a form, as far as it decides what can be chosen. Pages need no more, and so load no schemas. */
type Field =
  | { type: "boolean" | "number" | "integer" }
  | { type: "array"; items: { enum: string[] } | { anyOf: Titled[] } }
  | {
      type: "string";
      enum?: string[] | undefined;
      enumNames?: string[] | undefined;
      oneOf?: Titled[] | undefined;
    };

/** The values that can be chosen, each with its words; undefined if the field is no choice. */
export function choicesOf(field: Field): [value: string, words: string][] | undefined {
  if (field.type === "array") {
    const { items: each } = field;
    return "anyOf" in each ? pairs(each.anyOf) : each.enum.map((value) => [value, value]);
  }
  if (field.type !== "string") return undefined;
  const { enum: listed, enumNames = [], oneOf } = field;
  return oneOf ? pairs(oneOf) : listed?.map((value, n) => [value, enumNames[n] ?? value]);
}

function pairs(choices: Titled[]): [string, string][] {
  return choices.map((one) => [one.const, one.title]);
}
