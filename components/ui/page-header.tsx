import type { ReactNode } from "react";
import { CopyButton } from "./copy";
import { Icon } from "./icon";
import { Link } from "./link";

interface Props {
  title: string;
  /** Another part of the page has the main heading. */
  isAside?: boolean | undefined;
  /** The page above this one. */
  up?: { name: string; href: string };
  /** A count such as "50 of 233". */
  count?: ReactNode;
  /** The URL to which senders send. */
  address?: string;
  /** The page's primary action. */
  action?: ReactNode;
  /** The toolbar of the page's list. */
  children?: ReactNode;
}

/** The header of a page in one row: title, count, address and primary action; the toolbar below. */
export function PageHeader(props: Props) {
  const { title, isAside = false, up, count, address, action, children } = props;
  const Title = isAside ? "h2" : "h1";
  return (
    <div className="page-header border-b border-line px-4 pt-3 pb-2 sm:px-6">
      <div
        className={`flex min-h-8 flex-wrap items-center justify-between gap-x-4 gap-y-2 ${address ? "sm:flex-nowrap" : ""}`}
      >
        <div className="flex min-w-0 flex-wrap items-baseline gap-x-2.5">
          <div className="flex min-w-0 items-baseline gap-x-2.5">
            {up && (
              <p className="flex max-w-60 shrink-0 gap-1 text-muted">
                <Link
                  href={up.href}
                  aria-keyshortcuts="Escape"
                  className="min-w-0 truncate hover:text-ink"
                >
                  <Icon name="left" className="-ml-1 inline sm:hidden" />
                  <span className="max-sm:sr-only">{up.name}</span>
                </Link>
                <span className="max-sm:hidden">/</span>
              </p>
            )}
            <Title
              title={title}
              className="line-clamp-2 min-w-0 text-title font-semibold tracking-tight wrap-anywhere"
            >
              {title}
            </Title>
          </div>
          {count && <div className="shrink-0 text-small text-muted tabular-nums">{count}</div>}
        </div>
        {address && (
          <div className="flex min-w-0 flex-1 items-center gap-2 max-sm:order-last max-sm:basis-full sm:max-lg:justify-end lg:min-w-72">
            <p className="min-w-0 sm:max-lg:hidden noscript:block truncate rounded bg-surface px-2 py-1 font-mono text-small leading-6 select-all">
              {address}
            </p>
            <CopyButton text={address}>Copy URL</CopyButton>
          </div>
        )}
        {action}
      </div>
      {children && <div className="mt-2">{children}</div>}
    </div>
  );
}
