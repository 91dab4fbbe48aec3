import { queryParam, type SearchParams, withQuery } from "@/app/_shared/query";
import { readOnce } from "@/app/_shared/resources";
import { visitor } from "@/app/_shared/session";
import { moreHref } from "@/app/(dashboard)/_shared/listing";
import { readShown } from "@/app/(dashboard)/_shared/read-shown";
import { Chips } from "@/components/ui/chips";
import { curl } from "@/components/ui/curl";
import { EmptyState } from "@/components/ui/empty-state";
import { ExportLink } from "@/components/ui/export-link";
import { Link } from "@/components/ui/link";
import { ListPart } from "@/components/ui/list-and-detail";
import { LoadMore } from "@/components/ui/load-more";
import { Menu } from "@/components/ui/menu";
import { PageHeader } from "@/components/ui/page-header";
import { Pills } from "@/components/ui/pills";
import { SearchBox } from "@/components/ui/search-box";
import { SendTest } from "@/components/ui/send-test";
import { Toolbar } from "@/components/ui/toolbar";
import { type Caller, mayWrite } from "@/lib/platform/caller";
import { emptyList } from "@/lib/platform/lists/list";
import { WebhookEventListQuery } from "@/lib/resources/webhooks/events/contract";
import { type EventLines, lines } from "@/lib/resources/webhooks/events/lines";
import * as webhooks from "@/lib/resources/webhooks/service";
import { sendTest } from "../actions";
import { filtersOf, preservedParams } from "./endpoint";
import { EventCount, EventListProvider } from "./event-list-provider";
import { EventLiveness } from "./event-liveness";
import { EventTable } from "./event-table";
import { LiveEvents } from "./live-events";

/** Sorts before all events. */
const NONE = "wev_0";

/** Other methods are rare: the search takes them, as in `method:HEAD`. */
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];

interface Props {
  id: string;
  search: SearchParams;
}

/** An endpoint's URL and its events, kept up to date. */
export async function EventList({ id: given, search }: Props) {
  const { caller, account } = await visitor();
  const endpoint = await readOnce(webhooks.get, caller, given).catch(() => null);
  // The page beside the list shows the error.
  if (!endpoint) return null;
  const { id } = endpoint;
  const filters = filtersOf(search);
  const list = await readEvents(caller, id, filters, search);
  const path = `/webhooks/${id}`;
  const isFirst = queryParam(search, "after") === undefined;
  return (
    <EventListProvider
      first={list}
      rowsHref={withQuery(`${path}/rows`, filters)}
      eventsMax={endpoint.max_events}
      isFirst={isFirst}
      isFiltered={Object.values(filters).some(Boolean)}
    >
      <EventLiveness>
        <ListPart isHeader>
          <PageHeader
            title={endpoint.name}
            {...(account && { up: { name: "Webhooks", href: "/webhooks" } })}
            count={<EventCount />}
            address={endpoint.url}
            action={
              <SendTest
                id={id}
                formId={crypto.randomUUID()}
                noun="request"
                methods={METHODS}
                action={sendTest}
              />
            }
          />
        </ListPart>
        <ListPart>
          <div className="border-b border-line bg-canvas px-4 py-2 sm:sticky sm:top-0 sm:z-3 sm:px-6">
            <Toolbar
              search={
                <SearchBox
                  label="Search events"
                  hint="Search, or method:POST header:x-id=7"
                  value={filters.q ?? ""}
                  action={path}
                  keep={{ method: filters.method, header: filters.header }}
                />
              }
              end={
                <>
                  <LiveEvents endpointId={id} path={path} filters={filters} />
                  <Menu label="List actions">
                    <Link
                      href={withQuery(path, { ...filters, about: 1 })}
                      className="button lg:hidden!"
                    >
                      Settings
                    </Link>
                    <ExportLink list={`webhooks/${id}/events`} filters={filters} />
                    {endpoint.organization_id !== null && mayWrite(caller) && (
                      <Link
                        href={withQuery(`${path}/replays`, filters)}
                        scroll={false}
                        className="button"
                      >
                        {Object.values(filters).some(Boolean) ? "Replay matching" : "Replay all"}
                      </Link>
                    )}
                  </Menu>
                </>
              }
            >
              <Pills
                label="Method"
                pills={[undefined, ...METHODS].map((method) => ({
                  name: method ?? "All",
                  href: withQuery(path, { ...filters, method }),
                  chosen: filters.method === method,
                }))}
              />
              <Chips
                chips={[["header", "header", filters.header]]}
                without={(param) => withQuery(path, { ...filters, [param]: undefined })}
              />
            </Toolbar>
          </div>
          <EventTable
            path={path}
            kept={withQuery("", preservedParams(search))}
            more={<LoadMore href={moreHref(path, filters, search, list)} />}
            empty={
              <EmptyState
                title="Waiting for the first request"
                text="Requests to the URL above appear here as they arrive: any method, any path below it, any body. No key is needed."
                command={curl(endpoint.url, {
                  key: false,
                  body: { type: "order.paid", order: 1042 },
                })}
              />
            }
          />
        </ListPart>
      </EventLiveness>
    </EventListProvider>
  );
}

/** An invalid filter matches nothing. */
async function readEvents(
  caller: Caller,
  id: string,
  filters: ReturnType<typeof filtersOf>,
  search: SearchParams,
): Promise<EventLines> {
  const parsed = WebhookEventListQuery.safeParse(filters);
  if (!parsed.success) return { ...emptyList({ limit: 1 }), newest: NONE };
  return readShown(caller, search, (part) => lines(caller, id, { ...parsed.data, ...part }));
}
