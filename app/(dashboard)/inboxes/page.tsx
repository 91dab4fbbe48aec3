import type { Metadata } from "next";
import { address, one, type SearchParams } from "@/app/address";
import { countOf, moreHref, readShown } from "@/app/listing";
import { signedIn } from "@/app/session";
import { InboxForm } from "@/components/inboxes/inbox-form";
import { InboxTable } from "@/components/inboxes/inbox-table";
import { curl } from "@/components/ui/curl";
import { Lesson } from "@/components/ui/lesson";
import { LoadMore } from "@/components/ui/load-more";
import { NewButton } from "@/components/ui/new-button";
import { NewForm } from "@/components/ui/new-form";
import { PageHeader } from "@/components/ui/page-header";
import { config } from "@/lib/config";
import { depths } from "@/lib/inboxes/depths";
import * as inboxes from "@/lib/inboxes/service";
import { createInbox } from "./actions";

export const metadata: Metadata = { title: "Inboxes" };

export default async function InboxesPage(props: { searchParams: Promise<SearchParams> }) {
  const params = await props.searchParams;
  const { caller } = await signedIn(address("/inboxes", params));
  const creating = one(params, "new") === "1";
  const list = await readShown(params, (part) => inboxes.list(caller, part));
  const counts = await depths(
    caller,
    list.data.map(({ id }) => id),
  );
  return (
    <>
      <PageHeader
        title="Inboxes"
        count={countOf(list)}
        action={
          <NewButton href="/inboxes?new=1" primary>
            New inbox
          </NewButton>
        }
      />
      {creating && (
        <NewForm label="New inbox">
          <InboxForm action={createInbox} closeHref="/inboxes" formId={crypto.randomUUID()} />
        </NewForm>
      )}
      {list.total_count === 0 && !creating && (
        <Lesson
          title="No inboxes yet"
          text="An inbox is a queue behind one URL: anybody sends events to it, workers empty it, one event at a time and none twice. An agent makes one with this call; you make one with the button."
          command={curl(`${config().baseUrl}/api/inboxes`, { body: { name: "Jobs" } })}
          action={<NewButton href="/inboxes?new=1">New inbox</NewButton>}
        />
      )}
      {list.data.length > 0 && <InboxTable inboxes={list.data} depths={counts} />}
      <LoadMore href={moreHref("/inboxes", {}, params, list)} />
    </>
  );
}
