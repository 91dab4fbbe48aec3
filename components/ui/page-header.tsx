import type { ReactNode } from "react";
import { Link } from "./link";

interface Props {
  title: string;
  /** Another part of the page has the main heading. */
  isAside?: boolean | undefined;
  /** The page above this one. */
  up?: { name: string; href: string };
  /** A count such as "50 of 233". */
  count?: ReactNode;
  /** The page's primary action. */
  action?: ReactNode;
  children?: ReactNode;
}

/** The header of a page: title, count and primary action, with filters below. */
export function PageHeader({ title, isAside = false, up, count, action, children }: Props) {
  const Title = isAside ? "h2" : "h1";
  return (
    <div className="border-b border-line px-4 pt-4 pb-3 sm:px-6">
      {up && (
        <p className="text-small text-muted">
          <Link href={up.href} className="hover:text-ink">
            {up.name}
          </Link>{" "}
          /
        </p>
      )}
      <div className="flex min-h-8 flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="flex min-w-0 flex-wrap items-baseline gap-x-2.5">
          <Title className="text-title font-semibold tracking-tight wrap-anywhere">{title}</Title>
          {count && <p className="shrink-0 text-small text-muted tabular-nums">{count}</p>}
        </div>
        {action}
      </div>
      {children && (
        <div className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-2">{children}</div>
      )}
    </div>
  );
}
