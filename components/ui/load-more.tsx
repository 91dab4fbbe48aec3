import { Link } from "./link";

/** The link at the end of a list with more rows. */
export function LoadMore({ href }: { href: string | undefined }) {
  if (href === undefined) return null;
  return (
    <p className="px-4 py-4 sm:px-6">
      <Link href={href} scroll={false} className="button" data-more>
        Load more
      </Link>
    </p>
  );
}
