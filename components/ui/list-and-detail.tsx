import type { ReactNode } from "react";

/** A list with a pane beside it. On narrow screens, a pane with an open item hides the list. */
export function ListAndDetail({ children }: { children: ReactNode }) {
  return (
    <div className="group/split lg:grid lg:grid-cols-[minmax(0,1fr)_minmax(24rem,44%)]">
      {children}
    </div>
  );
}

/** The list, or a header above list and pane. */
export function ListPart(props: { isHeader?: boolean; children: ReactNode }) {
  const hidden = "max-lg:group-has-[aside[data-open]]/split:hidden";
  if (props.isHeader)
    return <div className={`min-w-0 lg:col-span-2 ${hidden}`}>{props.children}</div>;
  return (
    <section aria-label="List" className={`min-w-0 ${hidden}`}>
      {props.children}
    </section>
  );
}

/** Stays in view and scrolls on its own on wide screens. */
export function DetailPane(props: {
  label: string;
  isOpen: boolean;
  /** The main heading of a narrow screen, which hides the list and its heading. */
  heading?: string | undefined;
  children: ReactNode;
}) {
  return (
    <aside
      aria-label={props.label}
      data-open={props.isOpen || undefined}
      className="min-w-0 lg:sticky lg:top-0 lg:max-h-dvh lg:overflow-y-auto lg:border-l lg:border-line"
    >
      {props.isOpen && props.heading && <h1 className="sr-only lg:hidden">{props.heading}</h1>}
      {props.children}
    </aside>
  );
}

/** An open resource beside its list, or alone for a visitor who has no list. */
export function BesideList(props: { list: ReactNode; label: string; children: ReactNode }) {
  if (!props.list) return <div className="mx-auto max-w-[46rem]">{props.children}</div>;
  return (
    <ListAndDetail>
      <ListPart>{props.list}</ListPart>
      <DetailPane label={props.label} isOpen>
        {props.children}
      </DetailPane>
    </ListAndDetail>
  );
}
