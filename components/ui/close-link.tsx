import Link from "next/link";
import { Icon } from "./icon";

/** Closes a pane and returns to its list. */
export function CloseLink({ href }: { href: string }) {
  return (
    <Link
      href={href}
      prefetch={false}
      scroll={false}
      aria-label="Close, back to the list"
      aria-keyshortcuts="Escape"
      className="-mr-1.5 rounded p-1.5 text-muted hover:text-ink"
    >
      <Icon name="close" />
    </Link>
  );
}
