import Link from "next/link";

interface Pill {
  name: string;
  href: string;
  chosen: boolean;
}

/** Filters of which one holds: links, so that the state is in the address. */
export function Pills({ label, pills }: { label: string; pills: Pill[] }) {
  return (
    <nav aria-label={label} className="pills">
      {pills.map(({ name, href, chosen }) => (
        <Link
          key={name}
          href={href}
          prefetch={false}
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
