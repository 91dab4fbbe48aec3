import type { ReactNode } from "react";
import { Lesson } from "./lesson";
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
  newHref: string;
  /** The form for a new one, while it is open. */
  form?: ReactNode;
  filters?: ReactNode;
  /** There is none at all. */
  isEmpty: boolean;
  /** What an empty list teaches: what one is for, and the call that makes it. */
  lesson: { text: string; command: string };
  moreHref: string | undefined;
  children: ReactNode;
}

/** The page of one kind of resource: its list, and above it the form for a new one. */
export function ResourceIndex(props: Props) {
  const { title, noun, nouns, count, newHref, form, isEmpty, lesson } = props;
  return (
    <>
      <PageHeader
        title={title}
        count={count}
        action={
          <NewButton href={newHref} primary>
            {`New ${noun}`}
          </NewButton>
        }
      >
        {props.filters}
      </PageHeader>
      {form && <NewForm label={`New ${noun}`}>{form}</NewForm>}
      {isEmpty && !form && (
        <Lesson
          title={`No ${nouns} yet`}
          {...lesson}
          action={<NewButton href={newHref}>{`New ${noun}`}</NewButton>}
        />
      )}
      {props.children}
      <LoadMore href={props.moreHref} />
    </>
  );
}
