import Link from "next/link";
import { address, one, type SearchParams } from "@/app/address";
import { countOf, moreOf, readUpTo, shownOf } from "@/app/listing";
import { EventTable } from "@/components/inboxes/event-table";
import { ActionForm, Submit } from "@/components/ui/action-form";
import { Confirm } from "@/components/ui/confirm";
import { CopyButton, CopyText } from "@/components/ui/copy";
import { curl } from "@/components/ui/curl";
import { duration } from "@/components/ui/duration";
import { FiguresRow } from "@/components/ui/figures-row";
import { Lesson } from "@/components/ui/lesson";
import { NameForm } from "@/components/ui/name-form";
import { PageHeader } from "@/components/ui/page-header";
import { Pills } from "@/components/ui/pills";
import type { Caller } from "@/lib/accounts/caller";
import { config } from "@/lib/config";
import { entityTag } from "@/lib/http/conditional";
import type { Inbox } from "@/lib/inboxes/contract";
import { EventListQuery, eventStates } from "@/lib/inboxes/event-contract";
import * as events from "@/lib/inboxes/events";
import { stats } from "@/lib/inboxes/stats";
import { deleteInbox, purgeInbox, sendTestEvent, updateInbox } from "../actions";

interface Props {
  caller: Caller;
  inbox: Inbox;
  params: SearchParams;
  openId?: string;
}

/** An inbox: how full it is, and its events in their order. Nothing here takes an event out. */
export async function InboxView({ caller, inbox, params, openId }: Props) {
  const { id } = inbox;
  const state = eventStates.find((known) => known === one(params, "state"));
  const shown = shownOf(params);
  const after = EventListQuery.shape.after.safeParse(one(params, "after")).data;
  const [list, now] = await Promise.all([
    readUpTo(shown, after, (page) => events.list(caller, id, { ...page, state })),
    stats(caller, id),
  ]);
  const to = (changes: Record<string, string | number | undefined>) =>
    address(`/inboxes/${id}`, { state, ...changes });
  const more = moreOf(list, shown);
  const canWrite = caller.kind === "anonymous" || caller.scopes.includes("api.write");
  const ingestUrl = `${config().baseUrl}/api/inboxes/${id}/events`;
  const pending = now.ready + now.delayed + now.leased;
  return (
    <>
      <PageHeader
        title={inbox.name}
        count={countOf(list)}
        action={
          canWrite && (
            <ActionForm action={sendTestEvent}>
              <input type="hidden" name="id" value={id} />
              <Submit>Send a test event</Submit>
            </ActionForm>
          )
        }
      >
        <Pills
          label="By state"
          pills={[
            { name: "All", href: to({ state: undefined }), chosen: state === undefined },
            ...eventStates.map((name) => ({
              name,
              href: to({ state: name }),
              chosen: state === name,
            })),
          ]}
        />
        {canWrite && openId === undefined && <Management inbox={inbox} held={pending + now.dead} />}
        {openId === undefined && <CopyText text={id} />}
      </PageHeader>
      {canWrite && one(params, "edit") === "1" && (
        <section aria-label="Edit" className="border-b border-line bg-surface px-4 py-4 sm:px-6">
          <div className="max-w-[46rem]">
            <NameForm
              action={updateInbox}
              formId={crypto.randomUUID()}
              closeHref={to({})}
              submit="Save changes"
              maxEvents={inbox.max_events}
              name={inbox.name}
              description={inbox.description}
              id={id}
              tag={entityTag(JSON.stringify(inbox))}
            />
          </div>
        </section>
      )}
      <FiguresRow
        figures={[
          { name: "Waiting", value: `${pending} of ${inbox.max_events}` },
          { name: "Ready", value: `${now.ready}` },
          { name: "Leased", value: `${now.leased}` },
          { name: "Delayed", value: `${now.delayed}` },
          { name: "Dead", value: `${now.dead}`, bad: now.dead > 0 },
          {
            name: "Oldest ready",
            value:
              now.oldest_ready_age_seconds === null
                ? "none"
                : duration(now.oldest_ready_age_seconds),
          },
        ]}
      />
      {list.data.length > 0 ? (
        <EventTable
          events={list.data}
          openId={openId}
          hrefOf={(event) =>
            address(`/inboxes/${id}/events/${event.id}`, { state, shown: one(params, "shown") })
          }
        />
      ) : state ? (
        <p className="px-4 py-10 text-muted sm:px-6">
          No event is {state}.{" "}
          <Link href={`/inboxes/${id}`} className="link">
            Show all
          </Link>
        </p>
      ) : (
        <Lesson
          title="This inbox is empty"
          text="Whoever has its URL puts events in, with any body, without a key."
          command={curl(ingestUrl, { key: false, body: { hello: "worker" } })}
        />
      )}
      {more && (
        <p className="px-4 py-4 sm:px-6">
          <Link href={to(more)} prefetch={false} scroll={false} className="button">
            Load more
          </Link>
        </p>
      )}
    </>
  );
}

function Management({
  inbox: { id, name, organization_id },
  held,
}: {
  inbox: Inbox;
  held: number;
}) {
  return (
    <span className="flex flex-wrap gap-2">
      <Link href={`/inboxes/${id}?edit=1`} prefetch={false} className="button">
        Edit
      </Link>
      <CopyButton
        text={curl(`${config().baseUrl}/api/inboxes/${id}`, { key: organization_id !== null })}
      >
        Copy as curl
      </CopyButton>
      {held > 0 && (
        <Confirm
          id="purge"
          label={`Purge ${held} events`}
          title={`Purge ${held} events?`}
          consequence="All events are gone, also those that workers hold at this moment. There is no way back."
          confirm={`Purge ${held} events`}
          action={purgeInbox}
          fields={{ id }}
          typed={{ label: `Type ${name}`, value: name }}
        />
      )}
      <Confirm
        id="delete-inbox"
        label="Delete"
        title="Delete this inbox?"
        consequence={`It and its ${held} events are gone, and its URL takes nothing any more.`}
        confirm="Delete inbox"
        action={deleteInbox}
        fields={{ id }}
        typed={{ label: `Type ${name}`, value: name }}
      />
    </span>
  );
}
