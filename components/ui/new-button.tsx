import Link from "next/link";
import { Icon } from "./icon";

/** A page's primary action: opens the form for a new one. */
export function NewButton(props: { href: string; children: string; primary?: boolean }) {
  return (
    <Link
      href={props.href}
      prefetch={false}
      aria-keyshortcuts={props.primary ? "c" : undefined}
      className={props.primary ? "button button-primary" : "button"}
    >
      <Icon name="plus" />
      {props.children}
    </Link>
  );
}
