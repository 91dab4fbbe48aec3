import { queryParam, withQuery } from "@/app/_shared/query";
import { openPage, type ResourcePage, readOnce, resourceMetadata } from "@/app/_shared/resources";
import { inSearchTurn } from "@/app/_shared/search-turn";
import { filterReader } from "@/app/(dashboard)/_shared/filter-reader";
import { moreHref, rangeParams } from "@/app/(dashboard)/_shared/listing";
import { partsOf } from "@/app/(dashboard)/_shared/parts";
import { orNull, readOrNotFound } from "@/app/(dashboard)/_shared/read-or-not-found";
import { readShown } from "@/app/(dashboard)/_shared/read-shown";
import { RunFact } from "@/app/(dashboard)/_shared/run-fact";
import { searchTokens } from "@/app/(dashboard)/_shared/search-tokens";
import { redriveAllEvents } from "@/app/(dashboard)/inboxes/actions";
import { Confirm } from "@/components/ui/confirm";
import { curl } from "@/components/ui/curl";
import { EmptyState } from "@/components/ui/empty-state";
import { ExportLink } from "@/components/ui/export-link";
import { Link } from "@/components/ui/link";
import { DetailPane, ListAndDetail, ListPart } from "@/components/ui/list-and-detail";
import { LiveList } from "@/components/ui/live-list";
import { LiveSwitch } from "@/components/ui/live-switch";
import { LoadMore } from "@/components/ui/load-more";
import { Menu } from "@/components/ui/menu";
import { NoMatches } from "@/components/ui/no-matches";
import { PageHeader } from "@/components/ui/page-header";
import { Pills } from "@/components/ui/pills";
import { SearchBox } from "@/components/ui/search-box";
import { SendTest } from "@/components/ui/send-test";
import { Toolbar } from "@/components/ui/toolbar";
import { counted } from "@/lib/platform/counted";
import { eventStates } from "@/lib/resources/inboxes/events/contract";
import * as events from "@/lib/resources/inboxes/events/service";
import * as replies from "@/lib/resources/inboxes/replies/service";
import * as inboxes from "@/lib/resources/inboxes/service";
import { inboxVersion, stats } from "@/lib/resources/inboxes/stats";
import { originOfInboxEvent } from "@/lib/resources/webhooks/events/origin";
import { DepthBar } from "../_components/depth-bar";
import { EventList } from "../_components/event-list";
import { InboxDetail } from "../_components/inbox-detail";
import { InboxEventDetail } from "../_components/inbox-event-detail";
import { ReplyDetail } from "../_components/reply-detail";
import { sendEvent } from "../actions";

const REPLIES_SHOWN = 10;

export const generateMetadata = resourceMetadata;

export default async function InboxPage(props: ResourcePage) {
  const page = await readPage(props);
  const { here, kept, state, q, account, canWrite, isEditing, inbox, counts, list, found } = page;
  const { id } = inbox;
  const isEmpty = list.data.length === 0 && state === undefined && !q;
  const isEventOpen = found !== undefined;
  const isOpen = isEventOpen || isEditing || page.isAbout;
  return (
    <LiveList
      href={q ? undefined : `${here}/live`}
      shown={inboxVersion(inbox, counts)}
      topic="inboxes"
      isOpen={isOpen}
    >
      <ListAndDetail>
        <ListPart isHeader>
          <PageHeader
            title={inbox.name}
            {...(account && { up: { name: "Inboxes", href: "/inboxes" } })}
            count={<DepthBar pending={inbox.event_count ?? 0} max={inbox.max_events} />}
            address={inbox.ingest_url}
            action={
              <SendTest id={id} formId={crypto.randomUUID()} noun="event" action={sendEvent} />
            }
          />
        </ListPart>
        <ListPart>
          <div className="border-b border-line px-4 py-2 sm:px-6">
            <Toolbar
              search={
                !isEmpty && (
                  <SearchBox
                    label="Search events"
                    hint="Search, or state:dead"
                    value={q ?? ""}
                    action={here}
                    keep={{ state }}
                  />
                )
              }
              misread={page.misread}
              end={
                <>
                  <LiveSwitch />
                  {!isEmpty && (
                    <Menu label="List actions">
                      <Link
                        href={withQuery(here, { ...kept, about: 1 })}
                        className="button lg:hidden!"
                      >
                        Settings
                      </Link>
                      {!q && <ExportLink list={`inboxes/${id}/events`} filters={{ state }} />}
                      {canWrite && counts.dead > 0 && (state === undefined || state === "dead") && (
                        <RedriveAll id={id} dead={counts.dead} />
                      )}
                    </Menu>
                  )}
                </>
              }
            >
              <Pills
                label="State"
                pills={[undefined, ...eventStates].map((one) => ({
                  name: one && !q ? `${one} ${counts[one].toLocaleString("en")}` : (one ?? "All"),
                  href: withQuery(here, { state: one, q }),
                  chosen: one === state,
                }))}
              />
            </Toolbar>
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
              openId={found?.event.id}
              hrefOf={(event) => withQuery(here, { ...kept, event: event.id })}
            />
          )}
          <LoadMore href={moreHref(here, { state, q }, page.search, list)} />
        </ListPart>
        <DetailPane label={isEventOpen ? "Event" : "Inbox"} isOpen={isOpen} heading={inbox.name}>
          <OpenDetail page={page} />
        </DetailPane>
      </ListAndDetail>
    </LiveList>
  );
}

/** The inbox, the events that match, and the event that is open beside them or the reply to it. */
async function readPage(props: ResourcePage) {
  const opened = await openPage(props);
  const { id, search, caller } = opened;
  const here = `/inboxes/${id}`;
  const typed = searchTokens(queryParam(search, "q"), ["state"]);
  const { choice, misread } = filterReader(search, typed);
  const state = choice(eventStates, "state", "status");
  const q = typed.text || undefined;
  const eventId = queryParam(search, "event");
  const [inbox, counts, list, found, newestReplies, origin] = await readOrNotFound(
    withQuery(here, search),
    () =>
      Promise.all([
        readOnce(inboxes.get, caller, id),
        inSearchTurn(caller, () => stats(caller, id)),
        readShown(caller, search, (part) => events.list(caller, id, { ...part, state }, q)),
        // A worker may just have acknowledged it.
        eventId === undefined ? undefined : orNull(events.getWithRun(caller, id, eventId)),
        replies.list(caller, id, { limit: REPLIES_SHOWN, include: "total_count" }),
        eventId === undefined ? null : originOfInboxEvent(caller, id, eventId),
      ]),
  );
  const reply = found === null && eventId ? await replies.find(caller, id, eventId) : null;
  const kept = { state, q, ...rangeParams(search) };
  return {
    ...{ ...opened, here, kept, misread, state, q, eventId },
    ...{ inbox, counts, list, found, reply, origin, newestReplies },
  };
}

/** What is open beside the list: a reply, an event, or else the inbox itself. */
function OpenDetail({ page }: { page: Awaited<ReturnType<typeof readPage>> }) {
  const { search, here, kept, eventId, canWrite, inbox, found, reply, newestReplies } = page;
  const view = {
    origin: page.origin,
    parts: partsOf(search, (part) => withQuery(here, { ...kept, event: eventId, ...part })),
    closeHref: withQuery(here, kept),
  };
  if (reply) return <ReplyDetail {...view} reply={reply} />;
  if (found !== undefined) {
    return (
      <InboxEventDetail
        {...view}
        event={found?.event ?? null}
        queryString={found?.queryString ?? ""}
        schedule={found && <RunFact caller={page.caller} run={found.run} />}
        canWrite={canWrite}
      />
    );
  }
  return (
    <InboxDetail
      inbox={inbox}
      stats={page.counts}
      kept={kept}
      state={page.state}
      canWrite={canWrite}
      editing={page.isEditing}
      closeHref={page.isAbout ? view.closeHref : undefined}
      replies={newestReplies}
    />
  );
}

/** Makes an inbox's dead events ready again, after a confirmation. */
function RedriveAll({ id, dead }: { id: string; dead: number }) {
  const what = counted(dead, "dead event");
  return (
    <Confirm
      label={
        dead === 1 ? "Redrive the dead event" : `Redrive all ${dead.toLocaleString("en")} dead`
      }
      title={`Redrive ${what}?`}
      consequence="Workers receive them again, with a new count of deliveries. Redrive once you have fixed the cause."
      confirm={`Redrive ${what}`}
      action={redriveAllEvents}
      fields={{ id }}
      isHarmless
      successMessage="Ready again"
    />
  );
}
