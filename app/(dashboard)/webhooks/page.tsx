import type { Metadata } from "next";
import { queryParam, type SearchParams, withQuery } from "@/app/_shared/query";
import { requireSignIn } from "@/app/_shared/session";
import { countOf, moreHref, rangeParams } from "@/app/(dashboard)/_shared/listing";
import { versionTag } from "@/app/(dashboard)/_shared/version-tag";
import { NoMatches } from "@/components/ui/no-matches";
import { ResourceIndex } from "@/components/ui/resource-index";
import { SearchBox } from "@/components/ui/search-box";
import { mayWrite } from "@/lib/platform/caller";
import { EndpointForm } from "./_components/endpoint-form";
import { EndpointTable } from "./_components/endpoint-table";
import { readEndpoints } from "./_components/endpoints";
import { createEndpoint } from "./actions";

export const metadata: Metadata = { title: "Webhooks" };

export default async function WebhooksPage(props: { searchParams: Promise<SearchParams> }) {
  const params = await props.searchParams;
  const { caller } = await requireSignIn(withQuery("/webhooks", params));
  const creating = queryParam(params, "new") === "1";
  const q = queryParam(params, "q") || undefined;
  const { list, last } = await readEndpoints(caller, params, q);
  return (
    <ResourceIndex
      kind="webhooks"
      {...(q && { exported: null })}
      count={countOf(list)}
      newHref={mayWrite(caller) ? "/webhooks?new=1" : undefined}
      form={
        creating && (
          <EndpointForm
            action={createEndpoint}
            closeHref="/webhooks"
            formId={crypto.randomUUID()}
          />
        )
      }
      filters={
        list.total_count !== 0 && (
          <SearchBox label="Search names and descriptions" value={q ?? ""} keep={{}} />
        )
      }
      isEmpty={list.total_count === 0}
      about="An endpoint is a URL that stores every request sent to it, byte for byte."
      moreHref={moreHref("/webhooks", { q }, params, list)}
      live={{
        href: creating || q ? undefined : withQuery("/webhooks/live", { ...rangeParams(params) }),
        shown: versionTag([list, ...last]),
        topic: "webhooks",
      }}
    >
      {list.data.length > 0 && <EndpointTable endpoints={list.data} lastEvents={last} />}
      {list.data.length === 0 && q && <NoMatches noun="endpoints" allHref="/webhooks" />}
    </ResourceIndex>
  );
}
