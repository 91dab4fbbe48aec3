import Link from "next/link";
import type { ReactNode } from "react";

interface Props {
  title: string;
  /** The page above this one. */
  up?: { name: string; href: string };
  /** One honest count, such as "50 of 233". */
  count?: ReactNode;
  /** The page's one primary action. */
  action?: ReactNode;
  children?: ReactNode;
}

/** The top of a page: title, count, filters below, the primary action at the right. */
export function PageHeader({ title, up, count, action, children }: Props) {
  return (
    <div className="border-b border-line px-4 pt-4 pb-3 sm:px-6">
      {up && (
        <p className="text-small text-muted">
          <Link href={up.href} prefetch={false} className="hover:text-ink">
            {up.name}
          </Link>{" "}
          /
        </p>
      )}
      <div className="flex min-h-8 flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="flex min-w-0 flex-wrap items-baseline gap-x-2.5">
          <h1 className="text-title font-semibold tracking-tight wrap-anywhere">{title}</h1>
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
