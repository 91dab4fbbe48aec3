import type { Metadata } from "next";
import { address, one, type SearchParams } from "@/app/address";
import { countOf, moreOf, readUpTo, shownOf } from "@/app/listing";
import { signedIn } from "@/app/session";
import { InboxTable } from "@/components/inboxes/inbox-table";
import { curl } from "@/components/ui/curl";
import { Lesson } from "@/components/ui/lesson";
import { ListPage } from "@/components/ui/list-page";
import { NameForm } from "@/components/ui/name-form";
import { config } from "@/lib/config";
import { InboxListQuery, MAX_EVENTS_DEFAULT } from "@/lib/inboxes/contract";
import { depthsOf } from "@/lib/inboxes/depths";
import * as inboxes from "@/lib/inboxes/service";
import { createInbox } from "./actions";

export const metadata: Metadata = { title: "Inboxes" };

export default async function InboxesPage(props: { searchParams: Promise<SearchParams> }) {
  const params = await props.searchParams;
  const { caller } = await signedIn(address("/inboxes", { ...params }));
  const shown = shownOf(params);
  const after = InboxListQuery.shape.after.safeParse(one(params, "after")).data;
  const list = await readUpTo(shown, after, (page) => inboxes.list(caller, page));
  const depths = await depthsOf(caller);
  const more = moreOf(list, shown);
  return (
    <ListPage
      title="Inboxes"
      count={countOf(list)}
      create={{ href: "/inboxes?new=1", label: "New inbox" }}
      more={more && address("/inboxes", more)}
      allHref={after && "/inboxes"}
      form={
        one(params, "new") === "1" && (
          <NameForm
            action={createInbox}
            formId={crypto.randomUUID()}
            closeHref="/inboxes"
            submit="Create inbox"
            maxEvents={MAX_EVENTS_DEFAULT}
          />
        )
      }
      lesson={
        <Lesson
          title="No inboxes yet"
          text="An inbox takes events by URL and gives each to one worker at a time, until it is done."
          command={curl(`${config().baseUrl}/api/inboxes`, { body: { name: "Jobs" } })}
          action={
            <a href="/inboxes?new=1" className="button">
              New inbox
            </a>
          }
        />
      }
    >
      {list.data.length > 0 ? (
        <InboxTable
          inboxes={list.data.map((inbox) => ({ ...inbox, pending: depths.get(inbox.id) ?? 0 }))}
        />
      ) : undefined}
    </ListPage>
  );
}
