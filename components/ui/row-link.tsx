import type { ReactNode } from "react";

interface Props {
  href: string;
  className: string;
  /** Keeps the list's scroll position. */
  keepScroll?: boolean;
  children: ReactNode;
}

/**
 * The link of a list's row. `GlobalShortcuts` follows it without reloading the page; a next/link in
 * every row would take a large part of a list's rendering time.
 */
export function RowLink({ href, className, keepScroll, children }: Props) {
  return (
    <a href={href} data-row={keepScroll ? "keep-scroll" : ""} className={`row-link ${className}`}>
      {children}
    </a>
  );
}
