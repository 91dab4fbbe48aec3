import Link from "next/link";
import type { ReactNode } from "react";
import { Icon } from "./icon";
import { PageHeader } from "./page-header";

interface Props {
  title: string;
  count: string;
  /** The primary action: a link that opens the form. */
  create: { href: string; label: string };
  filters?: ReactNode;
  /** The form, while it is open. */
  form?: ReactNode;
  /** What an empty list teaches; shown when there is nothing and no filter. */
  lesson?: ReactNode;
  /** Where "Show all" leads when filters let nothing through. */
  allHref?: string | undefined;
  more?: string | undefined;
  /** The table; none: there is no row. */
  children?: ReactNode;
}

/** A list with its head, filters, form and "Load more". */
export function ListPage(props: Props) {
  const { title, count, create, filters, form, lesson, allHref, more, children } = props;
  return (
    <>
      <PageHeader
        title={title}
        count={count}
        action={
          <Link href={create.href} prefetch={false} className="button button-primary">
            <Icon name="plus" />
            {create.label}
          </Link>
        }
      >
        {filters}
      </PageHeader>
      {form && (
        <section
          aria-label={create.label}
          className="border-b border-line bg-surface px-4 py-4 sm:px-6"
        >
          <div className="max-w-[46rem]">{form}</div>
        </section>
      )}
      {children ??
        (allHref === undefined ? (
          !form && lesson
        ) : (
          <p className="px-4 py-10 text-muted sm:px-6">
            Nothing passes these filters.{" "}
            <Link href={allHref} className="link">
              Show all
            </Link>
          </p>
        ))}
      {more && (
        <p className="px-4 py-4 sm:px-6">
          <Link href={more} prefetch={false} scroll={false} className="button">
            Load more
          </Link>
        </p>
      )}
    </>
  );
}
