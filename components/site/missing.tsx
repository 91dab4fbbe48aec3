import type { ReactNode } from "react";

interface Props {
  title?: string;
  /** Why that may be. */
  children: ReactNode;
  /** Where to go instead, as list items. */
  links: ReactNode;
}

/** What stands where no page is. `plainPage()` is the same without scripts and style sheets. */
export function Missing({ title = "There is no page here", children, links }: Props) {
  return (
    <div className="mx-auto max-w-[40rem] px-4 py-16 sm:px-6">
      <p className="font-mono text-small text-muted">404</p>
      <h1 className="mt-1 text-title font-semibold tracking-tight">{title}</h1>
      <p className="mt-3 text-muted">{children}</p>
      <ul className="mt-5 grid gap-1.5">{links}</ul>
    </div>
  );
}
