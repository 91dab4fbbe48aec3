import type { Metadata } from "next";
import { queryParam, type SearchParams, withQuery } from "@/app/_shared/query";
import { requireSignIn } from "@/app/_shared/session";
import { countOf, moreHref, rangeOf } from "@/app/(dashboard)/_shared/listing";
import { readShown } from "@/app/(dashboard)/_shared/read-shown";
import { NoMatches } from "@/components/ui/no-matches";
import { ResourceIndex } from "@/components/ui/resource-index";
import { SearchBox } from "@/components/ui/search-box";
import { mayWrite } from "@/lib/platform/caller";
import { depths, inboxListVersion } from "@/lib/resources/inboxes/depths";
import * as inboxes from "@/lib/resources/inboxes/service";
import { InboxForm } from "./_components/inbox-form";
import { InboxTable } from "./_components/inbox-table";
import { createInbox } from "./actions";

export const metadata: Metadata = { title: "Inboxes" };

export default async function InboxesPage(props: { searchParams: Promise<SearchParams> }) {
  const params = await props.searchParams;
  const { caller } = await requireSignIn(withQuery("/inboxes", params));
  const creating = queryParam(params, "new") === "1";
  const q = queryParam(params, "q") || undefined;
  const range = rangeOf(params);
  // Read first, so that no later change is missed.
  const version = await inboxListVersion(caller, range);
  const list = await readShown(params, (part) => inboxes.list(caller, part, q));
  const counts = await depths(
    caller,
    list.data.map(({ id }) => id),
  );
  return (
    <ResourceIndex
      kind="inboxes"
      {...(q && { exported: null })}
      count={countOf(list)}
      newHref={mayWrite(caller) ? "/inboxes?new=1" : undefined}
      form={
        creating && (
          <InboxForm action={createInbox} closeHref="/inboxes" formId={crypto.randomUUID()} />
        )
      }
      filters={
        list.total_count !== 0 && (
          <SearchBox label="Search names and descriptions" value={q ?? ""} keep={{}} />
        )
      }
      isEmpty={list.total_count === 0}
      about="An inbox is a queue behind one URL: anyone sends events to it, and each event is leased to one worker at a time until it is acknowledged."
      moreHref={moreHref("/inboxes", { q }, params, list)}
      live={{
        href: creating || q ? undefined : withQuery("/inboxes/live", { ...range }),
        shown: version,
        topic: "inboxes",
      }}
    >
      {list.data.length > 0 && <InboxTable inboxes={list.data} depths={counts} />}
      {list.data.length === 0 && q && <NoMatches noun="inboxes" allHref="/inboxes" />}
    </ResourceIndex>
  );
}
