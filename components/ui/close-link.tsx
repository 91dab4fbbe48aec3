import { Icon } from "./icon";
import { Link } from "./link";

/** Closes a pane and returns to its list. */
export function CloseLink({ href }: { href: string }) {
  return (
    <Link
      href={href}
      scroll={false}
      aria-label="Close, back to the list"
      aria-keyshortcuts="Escape"
      className="-mr-1.5 rounded p-1.5 text-muted hover:text-ink"
    >
      <Icon name="close" />
    </Link>
  );
}
