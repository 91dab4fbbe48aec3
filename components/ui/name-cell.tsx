import { RowLink } from "./row-link";

interface Props {
  href: string;
  name: string;
  description: string | null;
}

/** More than fits into a row. */
const SHOWN_CHARACTERS = 300;

/** A row's name, linked to its page, and the start of its description. */
export function NameCell({ href, name, description }: Props) {
  return (
    <span className="flex min-w-0 items-baseline gap-3">
      <RowLink href={href} className="max-w-full shrink-0 truncate font-medium">
        {name}
      </RowLink>
      {description && (
        <span className="min-w-0 truncate text-small text-muted max-sm:hidden">
          {description.slice(0, SHOWN_CHARACTERS)}
        </span>
      )}
    </span>
  );
}
