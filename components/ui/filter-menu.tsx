import { Icon } from "./icon";
import { Link } from "./link";
import { Menu } from "./menu";
import type { Pill } from "./pills";

/** Filters and orders that need no place of their own, as groups of links. */
export function FilterMenu({ groups }: { groups: { label: string; options: Pill[] }[] }) {
  return (
    <Menu face="Filter">
      {groups.map(({ label, options }) => (
        <nav
          key={label}
          aria-label={label}
          className="not-first:mt-1 not-first:border-t not-first:border-line not-first:pt-1"
        >
          <p className="px-3 py-1 text-small text-muted">{label}</p>
          {options.map(({ name, href, chosen }) => (
            <Link
              key={name}
              href={href}
              scroll={false}
              aria-current={chosen ? "true" : undefined}
              className="flex min-h-8 items-center justify-between gap-4 rounded px-3 hover:bg-surface"
            >
              {name}
              {chosen && <Icon name="check" className="text-accent" />}
            </Link>
          ))}
        </nav>
      ))}
    </Menu>
  );
}
