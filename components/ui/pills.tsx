import Link from "next/link";

interface Pill {
  name: string;
  href: string;
  chosen: boolean;
}

/** Filters of which one holds: links, so that the state is in the address. */
export function Pills({ label, pills }: { label: string; pills: Pill[] }) {
  return (
    <nav aria-label={label} className="flex flex-wrap gap-0.5 rounded-md bg-surface p-0.5">
      {pills.map(({ name, href, chosen }) => (
        <Link
          key={name}
          href={href}
          prefetch={false}
          scroll={false}
          aria-current={chosen ? "true" : undefined}
          className="rounded px-2 py-0.5 text-small leading-6 text-muted hover:text-ink aria-[current]:bg-canvas aria-[current]:text-ink aria-[current]:shadow-[0_0_0_1px_var(--color-line)]"
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}
