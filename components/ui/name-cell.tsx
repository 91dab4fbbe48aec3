import Link from "next/link";

interface Props {
  href: string;
  name: string;
  description: string | null;
}

/** A row's name, linked to its page, and its description. */
export function NameCell({ href, name, description }: Props) {
  return (
    <span className="flex min-w-0 items-baseline gap-3">
      <Link
        href={href}
        prefetch={false}
        data-row
        className="row-link max-w-full shrink-0 truncate font-medium"
      >
        {name}
      </Link>
      {description && (
        <span className="min-w-0 truncate text-small text-muted max-sm:hidden">{description}</span>
      )}
    </span>
  );
}
