import { type ComponentProps, type ReactNode, useId } from "react";

interface Labelled {
  label: string;
  hint?: string | undefined;
  className?: string;
  /** Hidden fields that belong to this one. */
  aside?: ReactNode;
}

interface Props extends Labelled {
  /** Renders the control with the ID that the label refers to. */
  children(id: string): ReactNode;
}

export function Field({ label, hint, className, aside, children }: Props) {
  const id = useId();
  return (
    <div className={`min-w-0 ${className ?? ""}`} data-field>
      <div className="mb-1 flex flex-wrap justify-between gap-x-2 text-small text-muted">
        <label htmlFor={id} className="wrap-anywhere">
          {label}
        </label>
        {hint && <span className="first-letter:uppercase">{hint}</span>}
      </div>
      {children(id)}
      {aside}
    </div>
  );
}

/** The props of a control in a field: `className` places the field, and `look` styles the control. */
export type Control<Tag extends "input" | "select" | "textarea"> = Omit<ComponentProps<Tag>, "id"> &
  Labelled & { look?: string };

export function InputField(props: Control<"input">) {
  const { label, hint, className, aside, look = "field", ...input } = props;
  return (
    <Field {...{ label, hint, className, aside }}>
      {(id) => <input id={id} className={look} {...input} />}
    </Field>
  );
}

/** The values of a choice, each with its words if they differ. */
export type Options = readonly (string | number | readonly [value: string, words: string])[];

export function SelectField(props: Control<"select"> & { options: Options }) {
  const { label, hint, className, aside, look = "field", options, ...select } = props;
  return (
    <Field {...{ label, hint, className, aside }}>
      {(id) => (
        <select id={id} className={look} {...select}>
          {options.map((option) => {
            const [value, words] = Array.isArray(option) ? option : [option, option];
            return (
              <option key={value} value={value}>
                {words}
              </option>
            );
          })}
        </select>
      )}
    </Field>
  );
}
