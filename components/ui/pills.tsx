import { Link } from "./link";

export interface Pill {
  name: string;
  href: string;
  chosen: boolean;
}

/** Filters as links, one of them selected. */
export function Pills({ label, pills }: { label: string; pills: Pill[] }) {
  return (
    <nav aria-label={label} className="pills">
      {pills.map(({ name, href, chosen }) => (
        <Link
          key={name}
          href={href}
          scroll={false}
          aria-current={chosen ? "true" : undefined}
          className="pill"
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}
