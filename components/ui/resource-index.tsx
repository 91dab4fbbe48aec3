import type { ReactNode } from "react";
import { config } from "@/lib/platform/config/config";
import { type KindName, kindNamed } from "@/lib/resources/kinds";
import { curl } from "./curl";
import { EmptyState } from "./empty-state";
import { ExportLink } from "./export-link";
import { LiveList, type LiveListProps } from "./live-list";
import { LoadMore } from "./load-more";
import { Menu } from "./menu";
import type { Misread } from "./misread-filters";
import { NewButton } from "./new-button";
import { PageHeader } from "./page-header";
import { Toolbar } from "./toolbar";

interface Props {
  kind: KindName;
  count: string;
  /** The URL of the form for a new one; undefined if the caller may not create any. */
  newHref: string | undefined;
  /** The list is beside an open resource, which has the page's main heading. */
  isAside?: boolean;
  /** The form for a new one, while it is open. */
  form?: ReactNode;
  search?: ReactNode;
  filters?: ReactNode;
  /** Filters in the address whose values the list does not know. */
  misread?: readonly Misread[];
  /** The list's filters in the API, for its export; null if the API has no such list. */
  exported?: Record<string, string | readonly string[] | undefined> | null;
  isEmpty: boolean;
  /** Explains the kind of resource in an empty list. */
  about: string;
  moreHref: string | undefined;
  live: LiveListProps;
  children: ReactNode;
}

/** The list page of a kind of resource, and the form for a new one. */
export function ResourceIndex(props: Props) {
  const { count, newHref, isAside, form } = props;
  const { name, title, noun, first } = kindNamed(props.kind);
  const newButton = (primary: boolean) =>
    newHref && <NewButton href={newHref} primary={primary}>{`New ${noun}`}</NewButton>;
  return (
    <LiveList {...props.live}>
      <PageHeader
        title={title}
        count={count}
        isAside={isAside}
        action={
          <div className="flex gap-2">
            {newButton(true)}
            {!props.isEmpty && props.exported !== null && (
              <Menu label="List actions">
                <ExportLink list={name} filters={props.exported} />
              </Menu>
            )}
          </div>
        }
      >
        <Toolbar search={props.search} misread={props.misread}>
          {props.filters}
        </Toolbar>
      </PageHeader>
      {form && (
        <section aria-label={`New ${noun}`} className="new-form new-form-pane">
          <h2 className="mb-4 text-lead font-semibold max-xl:hidden">{`New ${noun}`}</h2>
          <div className="max-w-[46rem]">{form}</div>
        </section>
      )}
      {props.isEmpty && !form && (
        <EmptyState
          title={`No ${title.toLowerCase()} yet`}
          text={`${props.about} Agents create one with this command, people with the button.`}
          command={curl(`${config().baseUrl}/api/${name}`, { body: first.body })}
          action={newButton(false)}
          docs={`/docs/${name}`}
        />
      )}
      {props.children}
      <LoadMore href={props.moreHref} />
    </LiveList>
  );
}
