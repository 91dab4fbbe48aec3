import type { ReactNode } from "react";

interface Props {
  href: string;
  className: string;
  keepScroll?: boolean;
  children: ReactNode;
}

/** The link of a list's row. `GlobalShortcuts` follows it; a next/link in every row would cost too much time. */
export function RowLink({ href, className, keepScroll, children }: Props) {
  return (
    <a href={href} data-row={keepScroll ? "keep-scroll" : ""} className={`row-link ${className}`}>
      {children}
    </a>
  );
}
