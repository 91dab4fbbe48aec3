import Link from "next/link";
import type { ReactNode } from "react";
import { CopyText } from "./copy";
import { Icon } from "./icon";

interface Props {
  title: string;
  id: string;
  closeHref: string;
  /** A state, beside the ID. */
  state?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

/** One object with its name, ID and actions at the top. */
export function Detail({ title, id, closeHref, state, actions, children }: Props) {
  return (
    <article aria-label={title} className="p-4 sm:p-6">
      <div className="flex items-start justify-between gap-3">
        <h2 className="min-w-0 text-title font-semibold tracking-tight wrap-anywhere">{title}</h2>
        <Link
          href={closeHref}
          prefetch={false}
          scroll={false}
          aria-label="Close, back to the list"
          className="-mr-1.5 rounded p-1.5 text-muted hover:text-ink"
        >
          <Icon name="close" />
        </Link>
      </div>
      <p className="mt-1 flex flex-wrap items-center gap-x-3">
        <CopyText text={id} />
        {state}
      </p>
      {actions && <div className="mt-4 flex flex-wrap gap-2">{actions}</div>}
      <div className="mt-5">{children}</div>
    </article>
  );
}
