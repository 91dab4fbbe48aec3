import { type ReactNode, useId } from "react";

export function PageSection(props: {
  id?: string;
  title: string;
  intro?: string;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <section id={props.id} aria-labelledby={id} className="mt-8 scroll-mt-4">
      <div className="flex flex-wrap items-baseline gap-x-3 border-b border-line px-4 pb-2 sm:px-6">
        <h2 id={id} className="text-lead font-semibold wrap-anywhere">
          {props.title}
        </h2>
        {props.intro && <p className="text-small text-muted">{props.intro}</p>}
      </div>
      {props.children}
    </section>
  );
}
