import { type ReactNode, useId } from "react";

/** A section of a pane, with a small heading and an optional control beside it. */
export function Section(props: { title: string; aside?: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="mt-6">
      <div className="mb-2 flex min-h-7 flex-wrap items-center justify-between gap-2">
        <h2 id={id} className="font-semibold">
          {props.title}
        </h2>
        {props.aside}
      </div>
      {props.children}
    </section>
  );
}
