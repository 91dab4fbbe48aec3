import { queryParam, withQuery } from "@/app/_shared/query";
import { type ResourcePage, readOnce, resourceMetadata } from "@/app/_shared/resources";
import { visitor } from "@/app/_shared/session";
import { countOf, moreHref, rangeParams } from "@/app/(dashboard)/_shared/listing";
import { readOrNotFound } from "@/app/(dashboard)/_shared/read-or-not-found";
import { readShown } from "@/app/(dashboard)/_shared/read-shown";
import { RunFact } from "@/app/(dashboard)/_shared/run-fact";
import { CopyButton } from "@/components/ui/copy";
import { curl } from "@/components/ui/curl";
import { EmptyState } from "@/components/ui/empty-state";
import { ExportLink } from "@/components/ui/export-link";
import { DetailPane, ListAndDetail, ListPart } from "@/components/ui/list-and-detail";
import { LiveList } from "@/components/ui/live-list";
import { LiveSwitch } from "@/components/ui/live-switch";
import { LoadMore } from "@/components/ui/load-more";
import { NoMatches } from "@/components/ui/no-matches";
import { PageHeader } from "@/components/ui/page-header";
import { Pills } from "@/components/ui/pills";
import { SearchBox } from "@/components/ui/search-box";
import { SendTest } from "@/components/ui/send-test";
import { type Caller, mayWrite } from "@/lib/platform/caller";
import { toApiError } from "@/lib/platform/http/error-envelope";
import { EventListQuery, eventStates } from "@/lib/resources/inboxes/events/contract";
import * as events from "@/lib/resources/inboxes/events/service";
import * as replies from "@/lib/resources/inboxes/replies/service";
import * as inboxes from "@/lib/resources/inboxes/service";
import { stats, statsVersion } from "@/lib/resources/inboxes/stats";
import { stableTag } from "@/lib/resources/version";
import { originOfInboxEvent } from "@/lib/resources/webhooks/events/origin";
import { EventList } from "../_components/event-list";
import { InboxDetail } from "../_components/inbox-detail";
import { InboxEventDetail } from "../_components/inbox-event-detail";
import { InboxFigures } from "../_components/inbox-figures";
import { RedriveAll } from "../_components/redrive-all";
import { ReplyDetail } from "../_components/reply-detail";
import { ReplyList } from "../_components/reply-list";
import {
  deleteInbox,
  deleteInboxEvent,
  purgeInbox,
  redriveEvent,
  sendEvent,
  updateInbox,
} from "../actions";

const REPLIES_SHOWN = 10;

type EventWithRun = Awaited<ReturnType<typeof events.getWithRun>>;

export const generateMetadata = resourceMetadata;

export default async function InboxPage({ params, searchParams }: ResourcePage) {
  const { id } = await params;
  const search = await searchParams;
  const { caller, account } = await visitor();
  const here = `/inboxes/${id}`;
  const eventId = queryParam(search, "event");
  const state = EventListQuery.shape.state.safeParse(queryParam(search, "state")).data;
  const q = queryParam(search, "q") || undefined;
  const kept = { state, q, ...rangeParams(search) };
  const [inbox, counts, list, found, newest, origin] = await readOrNotFound(
    withQuery(here, search),
    () =>
      Promise.all([
        readOnce(inboxes.get, caller, id),
        stats(caller, id),
        readShown(search, (part) => events.list(caller, id, { ...part, state }, q)),
        eventId === undefined ? undefined : eventOrGone(caller, id, eventId),
        replies.list(caller, id, { limit: REPLIES_SHOWN, include: "total_count" }),
        eventId === undefined ? null : originOfInboxEvent(caller, id, eventId),
      ]),
  );
  const event = found === null ? null : found?.event;
  const reply = event === null && eventId ? await replies.find(caller, id, eventId) : null;
  const canWrite = mayWrite(caller);
  const isEmpty = list.data.length === 0 && state === undefined && !q;
  const isEventOpen = event !== undefined;
  return (
    <LiveList
      href={q ? undefined : `${here}/live`}
      shown={statsVersion(counts)}
      topic="inboxes"
      isOpen={isEventOpen || queryParam(search, "edit") === "1"}
    >
      <ListAndDetail>
        <ListPart isHeader>
          <PageHeader
            title={inbox.name}
            {...(account && { up: { name: "Inboxes", href: "/inboxes" } })}
            action={<SendTest id={id} noun="event" action={sendEvent} />}
          />
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line bg-surface px-4 py-4 sm:px-6">
            <p className="min-w-0 font-mono text-lead wrap-anywhere select-all">
              {inbox.ingest_url}
            </p>
            <CopyButton text={inbox.ingest_url}>Copy URL</CopyButton>
          </div>
          <InboxFigures inbox={inbox} stats={counts} />
        </ListPart>
        <ListPart>
          <div className="flex flex-wrap items-center gap-3 border-b border-line px-4 py-3 sm:px-6">
            <Pills
              label="State"
              pills={[undefined, ...eventStates].map((one) => ({
                name: one === undefined ? "All" : `${one} ${counts[one].toLocaleString("en")}`,
                href: withQuery(here, { state: one, q }),
                chosen: one === state,
              }))}
            />
            {!isEmpty && (
              <SearchBox label="Search events" value={q ?? ""} action={here} keep={{ state }} />
            )}
            <p className="flex flex-wrap items-center gap-x-3 text-small text-muted tabular-nums">
              {countOf(list)}, oldest first <LiveSwitch />
            </p>
            {!isEmpty && !q && (
              <ExportLink list={`inboxes/${inbox.id}/events`} filters={{ state }} />
            )}
            {canWrite && counts.dead > 0 && (state === undefined || state === "dead") && (
              <RedriveAll id={id} dead={counts.dead} />
            )}
          </div>
          {isEmpty && (
            <EmptyState
              title="No events waiting"
              text="Anybody can send events to the URL above, without a key. They wait here until a worker receives them."
              command={curl(inbox.ingest_url, { key: false, body: { job: "resize", photo: 42 } })}
            />
          )}
          {list.data.length === 0 && !isEmpty && <NoMatches noun="events" allHref={here} />}
          {list.data.length > 0 && (
            <EventList
              events={list.data}
              openId={event?.id}
              hrefOf={(one) => withQuery(here, { ...kept, event: one.id })}
            />
          )}
          <LoadMore href={moreHref(here, { state, q }, search, list)} />
        </ListPart>
        <DetailPane label={isEventOpen ? "Event" : "Inbox"} isOpen={isEventOpen}>
          {reply ? (
            <ReplyDetail
              reply={reply}
              origin={origin}
              bodyChoice={queryParam(search, "body")}
              bodyHrefOf={(body) => withQuery(here, { ...kept, event: eventId, body })}
              closeHref={withQuery(here, kept)}
            />
          ) : isEventOpen ? (
            <InboxEventDetail
              event={event}
              queryString={found?.queryString ?? ""}
              schedule={found && <RunFact caller={caller} run={found.run} />}
              origin={origin}
              canWrite={canWrite}
              tab={queryParam(search, "tab")}
              tabHrefOf={(tab) => withQuery(here, { ...kept, event: eventId, tab })}
              bodyChoice={queryParam(search, "body")}
              bodyHrefOf={(body) => withQuery(here, { ...kept, event: eventId, body })}
              closeHref={withQuery(here, kept)}
              actions={{ redrive: redriveEvent, remove: deleteInboxEvent }}
            />
          ) : (
            <InboxDetail
              inbox={inbox}
              stats={counts}
              state={state}
              tag={stableTag(inbox)}
              canWrite={canWrite}
              editing={canWrite && queryParam(search, "edit") === "1"}
              actions={{ update: updateInbox, purge: purgeInbox, remove: deleteInbox }}
            >
              {newest.data.length > 0 && <ReplyList inboxId={inbox.id} replies={newest} />}
            </InboxDetail>
          )}
        </DetailPane>
      </ListAndDetail>
    </LiveList>
  );
}

/** Undefined, rather than a 404, for an event that a worker has just acknowledged. */
async function eventOrGone(
  caller: Caller,
  inboxId: string,
  eventId: string,
): Promise<EventWithRun | null> {
  return events.getWithRun(caller, inboxId, eventId).catch((error: unknown) => {
    if (toApiError(error).code === "resource_not_found") return null;
    throw error;
  });
}
