import { type ReactNode, useId } from "react";

export function PageSection(props: {
  id?: string;
  title: ReactNode;
  intro?: string;
  className?: string;
  children: ReactNode;
}) {
  const id = useId();
  const { className = "mt-6 scroll-mt-2" } = props;
  return (
    <section id={props.id} aria-labelledby={id} className={className}>
      <div className="flex flex-wrap items-baseline gap-x-3 border-b border-line px-4 py-2 sm:px-6">
        <h2 id={id} className="text-lead font-semibold wrap-anywhere">
          {props.title}
        </h2>
        {props.intro && <p className="text-small text-muted">{props.intro}</p>}
      </div>
      {props.children}
    </section>
  );
}
