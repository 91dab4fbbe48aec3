import type { ReactNode } from "react";
import { Link } from "./link";

export interface Pill {
  name: string;
  href: string;
  chosen: boolean;
  /** How many there are, beside the name. */
  count?: ReactNode;
}

interface Props {
  label: string;
  pills: Pill[];
  /** Divides a whole pane; otherwise filters, or views of one part. */
  isMain?: boolean;
}

/** Filters or views as links, one of them selected. */
export function Pills({ label, pills, isMain = false }: Props) {
  return (
    <nav aria-label={label} className={isMain ? "tabs" : "pills"}>
      {pills.map(({ name, href, chosen, count }) => (
        <Link
          key={name}
          href={href}
          scroll={false}
          aria-current={chosen ? "page" : undefined}
          className={isMain ? "tab" : "pill"}
        >
          {name}
          {count !== undefined && <span className="text-muted"> {count}</span>}
        </Link>
      ))}
    </nav>
  );
}
