import type { ReactNode } from "react";
import { EmptyState } from "./empty-state";
import { LoadMore } from "./load-more";
import { NewButton } from "./new-button";
import { NewForm } from "./new-form";
import { PageHeader } from "./page-header";

interface Props {
  title: string;
  /** One of them, and many. */
  noun: string;
  nouns: string;
  count: string;
  /** Where a new one is made; undefined: not by this caller. */
  newHref: string | undefined;
  /** It stands beside one that is open. */
  isBeside?: boolean;
  /** The form for a new one, while it is open. */
  form?: ReactNode;
  filters?: ReactNode;
  /** There is none at all. */
  isEmpty: boolean;
  /** What an empty list teaches: what one is for, and the call that makes it. */
  emptyState: { text: string; command: string };
  moreHref: string | undefined;
  children: ReactNode;
}

/** The page of one kind of resource: its list, and above it the form for a new one. */
export function ResourceIndex(props: Props) {
  const { title, noun, nouns, count, newHref, isBeside, form, isEmpty, emptyState } = props;
  return (
    <>
      <PageHeader
        title={title}
        count={count}
        isBeside={isBeside}
        action={
          newHref && (
            <NewButton href={newHref} primary>
              {`New ${noun}`}
            </NewButton>
          )
        }
      >
        {props.filters}
      </PageHeader>
      {form && <NewForm label={`New ${noun}`}>{form}</NewForm>}
      {isEmpty && !form && (
        <EmptyState
          title={`No ${nouns} yet`}
          {...emptyState}
          action={newHref && <NewButton href={newHref}>{`New ${noun}`}</NewButton>}
        />
      )}
      {props.children}
      <LoadMore href={props.moreHref} />
    </>
  );
}
