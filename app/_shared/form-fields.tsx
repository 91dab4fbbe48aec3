import { InputField, SelectField } from "@/components/ui/field";
import { InstantField } from "@/components/ui/instant-field";
import { TextAreaField } from "@/components/ui/text-area";
import { choicesOf } from "@/lib/resources/questions/choices";
import type { Form, FormAnswer, FormField } from "@/lib/resources/questions/form";
import { inputName, valueFor } from "./form-values";

/** A text that may be longer gets several lines. */
const LINE_CHARACTERS_MAX = 200;

const TYPES = { email: "email", uri: "url", date: "date" } as const;

/** The fields of a question's form, filled in with what was given before. */
export function FormFields({ form, given }: { form: Form; given: FormAnswer | undefined }) {
  return Object.entries(form.properties).map(([key, field]) => (
    <OneField
      key={key}
      {...{ name: inputName(key), label: field.title ?? key, field }}
      isRequired={form.required?.includes(key) ?? false}
      value={given ? valueFor(given, key) : field.default}
    />
  ));
}

interface Props {
  name: string;
  label: string;
  field: FormField;
  isRequired: boolean;
  value: unknown;
}

function OneField(props: Props) {
  const { name, label, field, isRequired, value } = props;
  const told = field.description;
  const aside = told && (
    <p id={`${name}-told`} className="mt-1 text-small text-muted wrap-anywhere">
      {told}
    </p>
  );
  if (field.type === "boolean") {
    return (
      <div>
        <label className="flex min-h-11 items-center gap-2 wrap-anywhere">
          <input
            type="checkbox"
            className="size-5 shrink-0"
            name={name}
            defaultChecked={value === true}
            aria-describedby={told && `${name}-told`}
          />
          {label}
        </label>
        {aside}
      </div>
    );
  }
  if (field.type === "array") return <Several {...props} />;
  if (field.type === "string" && field.format === "date-time") {
    const milliseconds = Date.parse(String(value));
    const unix = Number.isNaN(milliseconds) ? undefined : Math.floor(milliseconds / 1000);
    return (
      <div>
        <InstantField {...{ label, name, unix }} required={isRequired} />
        {aside}
      </div>
    );
  }
  const control = {
    name,
    label,
    aside,
    hint: isRequired ? undefined : "optional",
    required: isRequired,
    defaultValue: value === undefined ? "" : String(value),
    ...(told && { "aria-describedby": `${name}-told` }),
  };
  const choices = choicesOf(field);
  if (choices) return <SelectField {...control} options={[["", "Choose…"], ...choices]} />;
  if (field.type === "string") {
    const { format, minLength, maxLength } = field;
    const bounds = { minLength, maxLength };
    if (!format && (maxLength ?? 0) > LINE_CHARACTERS_MAX) {
      return <TextAreaField {...control} {...bounds} rows={4} />;
    }
    const type = format && format !== "date-time" ? TYPES[format] : "text";
    return <InputField {...control} {...bounds} type={type} />;
  }
  const { minimum: min, maximum: max, type } = field;
  // Browsers count the steps from the minimum.
  const whole = { min: min && Math.ceil(min), max: max && Math.floor(max), step: 1 };
  const bounds = type === "integer" ? whole : { min, max, step: "any" };
  return <InputField {...control} {...bounds} type="number" />;
}

function Several({ name, label, field, value }: Props) {
  const chosen = Array.isArray(value) ? value : [];
  return (
    <fieldset>
      <legend className="mb-1 text-small text-muted wrap-anywhere">{label}</legend>
      {field.description && (
        <p className="text-small text-muted wrap-anywhere">{field.description}</p>
      )}
      {(choicesOf(field) ?? []).map(([one, words]) => (
        <label key={one} className="flex min-h-11 items-center gap-2 wrap-anywhere">
          <input
            type="checkbox"
            className="size-5 shrink-0"
            name={name}
            value={one}
            defaultChecked={chosen.includes(one)}
          />
          {words}
        </label>
      ))}
    </fieldset>
  );
}
