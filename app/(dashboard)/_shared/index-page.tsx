import type { ReactNode } from "react";
import { queryParam, type SearchParams, withQuery } from "@/app/_shared/query";
import { requireSignIn } from "@/app/_shared/session";
import { NoMatches } from "@/components/ui/no-matches";
import { ResourceIndex } from "@/components/ui/resource-index";
import { SearchBox } from "@/components/ui/search-box";
import { type Caller, mayWrite } from "@/lib/platform/caller";
import type { List } from "@/lib/platform/lists/list";
import { type KindName, kindNamed } from "@/lib/resources/kinds";
import { countOf, moreHref, rangeParams } from "./listing";

interface Index {
  kind: KindName;
  /** What the search looks through, such as "names". */
  searched: string;
  /** Explains the kind of resource in an empty list. */
  about: string;
  /** Reads the list that the query selects, with its table and a line that changes with its data. */
  read(
    caller: Caller,
    params: SearchParams,
    words: string | undefined,
  ): Promise<{ list: List<unknown>; version: string; table: ReactNode }>;
  /** The form for a new resource. */
  form(opened: { closeHref: string; formId: string }): ReactNode;
}

/** The page of a kind of resource whose list is only searched. */
export function indexPage({ kind, searched, about, read, form }: Index) {
  const path = `/${kind}`;
  return async (props: { searchParams: Promise<SearchParams> }) => {
    const params = await props.searchParams;
    const { caller } = await requireSignIn(withQuery(path, params));
    const creating = queryParam(params, "new") === "1";
    const q = queryParam(params, "q") || undefined;
    const { list, version, table } = await read(caller, params, q);
    const isEmpty = list.total_count === 0;
    return (
      <ResourceIndex
        kind={kind}
        {...(q && { exported: null })}
        count={countOf(list)}
        newHref={mayWrite(caller) ? `${path}?new=1` : undefined}
        form={creating && form({ closeHref: path, formId: crypto.randomUUID() })}
        filters={!isEmpty && <SearchBox label={`Search ${searched}`} value={q ?? ""} keep={{}} />}
        isEmpty={isEmpty}
        about={about}
        moreHref={moreHref(path, { q }, params, list)}
        live={{
          href: creating || q ? undefined : withQuery(`${path}/live`, rangeParams(params)),
          shown: version,
          topic: kind,
        }}
      >
        {list.data.length > 0 && table}
        {list.data.length === 0 && q && (
          <NoMatches noun={kindNamed(kind).title.toLowerCase()} allHref={path} />
        )}
      </ResourceIndex>
    );
  };
}
