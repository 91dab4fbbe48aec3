import { Link } from "./link";

/** Shown instead of a list whose filters match nothing. */
export function NoMatches({ noun, allHref }: { noun: string; allHref: string }) {
  return (
    <p className="px-4 py-10 text-muted sm:px-6">
      No matching {noun}.{" "}
      <Link href={allHref} className="link">
        Show all
      </Link>
    </p>
  );
}
