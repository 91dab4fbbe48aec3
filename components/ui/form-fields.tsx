import type { ReactNode } from "react";
import * as z from "zod";
import { entityTag } from "@/lib/platform/http/conditional";
import { fieldAt, sentenceOf, unwrap } from "@/lib/platform/http/schema-fields";
import { InputField, type Options, SelectField } from "./field";
import { InitialValue } from "./initial-value";
import { labelOf } from "./label-of";
import { TextAreaField } from "./text-area";

interface Choices {
  /** Defaults to the name in words. */
  label?: string;
  /** Defaults to the bounds of a number. */
  hint?: string | undefined;
  className?: string;
  look?: string;
  placeholder?: string;
  type?: "url";
  autoComplete?: "off";
  /** Write-only, so no draft keeps it. */
  "data-secret"?: true;
  spellCheck?: boolean;
  required?: boolean;
  /** The lines of a text, which is otherwise a single one. */
  rows?: number;
  /** The words of an enumeration's values, if they differ. */
  options?: Options;
  /** The value, if it is not the resource's field of that name. */
  value?: string | undefined;
  /** The value of a new resource. */
  preset?: string | number;
}

/**
 * Returns a function that renders the form field for a property of the schema, with its type, bounds
 * and description. `resource` is the one being edited, if any; each field then also sends the value
 * that it showed, for `changedFields`.
 */
export function formFields(schema: z.ZodObject, resource?: object) {
  const values = new Map<string, unknown>(Object.entries(resource ?? {}));
  return (name: string, choices: Choices = {}): ReactNode => {
    const { label = labelOf(name), value, preset = "", rows, options, ...control } = choices;
    const field = fieldAt(schema, name.split("."));
    const type = unwrap(field);
    const text = value ?? String(values.get(name) ?? preset);
    // An `<input>` has a single line.
    const shown = rows === undefined ? text.replaceAll(/[\r\n]/g, "") : text;
    const isNested = name.includes(".");
    const props = {
      name,
      label,
      title: sentenceOf(schema, name),
      required: !isNested && !(field instanceof z.ZodOptional),
      defaultValue: shown,
      aside: resource && <Shown name={name} value={shown} />,
      ...control,
    };
    if (type instanceof z.ZodEnum) {
      return <SelectField {...props} required={false} options={options ?? type.options} />;
    }
    if (options) return <SelectField {...props} required={false} options={options} />;
    if (rows !== undefined) return <TextAreaField {...props} rows={rows} />;
    if (!(type instanceof z.ZodNumber)) return <InputField {...props} />;
    return <InputField hint={boundsOf(type)} {...props} inputMode="numeric" />;
  };
}

/** What a field of an edited resource showed when the form opened. */
export function Shown({ name, value }: { name: string; value: string }) {
  const tag = entityTag(value.replaceAll(/\r\n?/g, "\n"));
  return <InitialValue name={`shown_${name}`} value={tag} />;
}

/** "1 to 10,000". */
function boundsOf({ minValue, maxValue }: z.ZodNumber): string | undefined {
  if (minValue === null || maxValue === null) return undefined;
  return `${minValue.toLocaleString("en")} to ${maxValue.toLocaleString("en")}`;
}
