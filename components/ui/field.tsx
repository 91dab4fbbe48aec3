import { type ComponentProps, type ReactNode, useId } from "react";

interface Labelled {
  label: string;
  hint?: string;
  className?: string;
}

interface Props extends Labelled {
  /** Renders the control with the ID that the label refers to. */
  children(id: string): ReactNode;
}

export function Field({ label, hint, className, children }: Props) {
  const id = useId();
  return (
    <div className={className} data-field>
      <div className="mb-1 flex flex-wrap justify-between gap-x-2 text-small text-muted">
        <label htmlFor={id}>{label}</label>
        {hint && <span>{hint}</span>}
      </div>
      {children(id)}
    </div>
  );
}

/** The props of a control in a field: `className` places the field, and `look` styles the control. */
export type Control<Tag extends "input" | "select" | "textarea"> = Omit<ComponentProps<Tag>, "id"> &
  Labelled & { look?: string };

export function InputField({ label, hint, className, look = "field", ...input }: Control<"input">) {
  return (
    <Field label={label} hint={hint} className={className}>
      {(id) => <input id={id} className={look} {...input} />}
    </Field>
  );
}

export function SelectField({
  label,
  hint,
  className,
  look = "field",
  ...select
}: Control<"select">) {
  return (
    <Field label={label} hint={hint} className={className}>
      {(id) => <select id={id} className={look} {...select} />}
    </Field>
  );
}
