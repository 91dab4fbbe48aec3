import { Icon } from "./icon";
import { Link } from "./link";

/** A page's primary action: opens the form for a new one. */
export function NewButton(props: { href: string; children: string; primary?: boolean }) {
  return (
    <Link
      href={props.href}
      aria-keyshortcuts={props.primary ? "c" : undefined}
      className={props.primary ? "button button-primary" : "button"}
    >
      <Icon name="plus" />
      {props.primary ? <span className="max-sm:sr-only">{props.children}</span> : props.children}
    </Link>
  );
}
