import { type ReactNode, useId } from "react";

interface Props {
  label: string;
  hint?: string;
  className?: string;
  /** Renders the control with the ID that the label refers to. */
  children(id: string): ReactNode;
}

/** A labelled field of a form. */
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
