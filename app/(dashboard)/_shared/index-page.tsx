import type { ReactNode } from "react";
import { queryParam, type SearchParams, withQuery } from "@/app/_shared/query";
import { requireSignIn } from "@/app/_shared/session";
import type { Misread } from "@/components/ui/misread-filters";
import { NoMatches } from "@/components/ui/no-matches";
import { ResourceIndex } from "@/components/ui/resource-index";
import { SearchBox } from "@/components/ui/search-box";
import { type Caller, mayWrite } from "@/lib/platform/caller";
import type { List } from "@/lib/platform/lists/list";
import { type KindName, kindNamed } from "@/lib/resources/kinds";
import { countOf, type ListProps, moreHref, rangeParams } from "./listing";

interface Index {
  kind: KindName;
  /** What the search looks through, such as "names". */
  searched: string;
  /** Explains the kind of resource in an empty list. */
  about: string;
  /** The filter in the query, as the API takes it, and filters with unknown values. */
  filterOf?(params: SearchParams): Filter;
  /** Other query parameters that the list's links keep. */
  keep?(params: SearchParams): Record<string, string | undefined>;
  /** Reads the list that the query selects, with its table and a line that changes with its data. */
  read(
    caller: Caller,
    params: SearchParams,
    words: string | undefined,
    openId: string | undefined,
  ): Promise<{ list: List<unknown>; version: string; table: ReactNode }>;
  /** Beside the search, unless a resource is open. */
  filters?(params: SearchParams): ReactNode;
  /** The form for a new resource. */
  form(closeHref: string): ReactNode | Promise<ReactNode>;
}

interface Filter {
  filter: Record<string, string | undefined>;
  misread: readonly Misread[];
}

const NO_FILTER: Filter = { filter: {}, misread: [] };

/** The page of a kind of resource whose list has a search and at most one filter. */
export function indexPage(index: Index) {
  return listPage(index.kind, indexList(index));
}

export function listPage(kind: KindName, List: (props: ListProps) => Promise<ReactNode>) {
  return async (props: { searchParams: Promise<SearchParams> }) => {
    const params = await props.searchParams;
    const { caller } = await requireSignIn(withQuery(`/${kind}`, params));
    return <List caller={caller} params={params} creating={queryParam(params, "new") === "1"} />;
  };
}

/** A list with a search and at most one filter, on a page of its own or beside an open resource. */
export function indexList({
  kind,
  searched,
  about,
  filterOf = () => NO_FILTER,
  keep = () => ({}),
  read,
  filters,
  form,
}: Index) {
  const path = `/${kind}`;
  return async (props: ListProps) => {
    const { caller, params, creating = false, isPaused = creating, openId } = props;
    const { filter, misread } = filterOf(params);
    const kept = { ...keep(params), ...filter };
    const isFiltered = Object.values(filter).some(Boolean);
    const q = queryParam(params, "q") || undefined;
    const { list, version, table } = await read(caller, params, q, openId);
    const isEmpty = list.total_count === 0 && !isFiltered;
    return (
      <ResourceIndex
        kind={kind}
        exported={q ? null : filter}
        count={countOf(list)}
        newHref={mayWrite(caller) ? withQuery(path, { ...kept, new: 1 }) : undefined}
        isAside={openId !== undefined}
        form={creating && (await form(withQuery(path, kept)))}
        search={
          !isEmpty && (
            <SearchBox label={`Search ${searched}`} value={q ?? ""} keep={kept} action={path} />
          )
        }
        filters={openId === undefined && !isEmpty && filters?.(params)}
        misread={misread}
        isEmpty={isEmpty}
        about={about}
        moreHref={moreHref(path, { ...kept, q }, params, list)}
        live={{
          href:
            isPaused || q
              ? undefined
              : withQuery(`${path}/live`, { ...filter, ...rangeParams(params) }),
          shown: version,
          topic: kind,
          isOpen: openId !== undefined,
        }}
      >
        {list.data.length > 0 && table}
        {list.data.length === 0 && (q || isFiltered) && (
          <NoMatches noun={kindNamed(kind).title.toLowerCase()} allHref={path} />
        )}
      </ResourceIndex>
    );
  };
}
