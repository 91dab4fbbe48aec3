import type { ReactNode } from "react";
import { address, one, type SearchParams } from "@/app/address";
import { countOf, moreHref, readShown } from "@/app/listing";
import { ActionForm, Submit } from "@/components/ui/action-form";
import { CopyButton } from "@/components/ui/copy";
import { curl } from "@/components/ui/curl";
import { Lesson } from "@/components/ui/lesson";
import { LoadMore } from "@/components/ui/load-more";
import { PageHeader } from "@/components/ui/page-header";
import { Pills } from "@/components/ui/pills";
import { SearchBox } from "@/components/ui/search-box";
import { EventTable } from "@/components/webhooks/event-table";
import { LiveEvents } from "@/components/webhooks/live-events";
import type { Caller } from "@/lib/accounts/caller";
import { emptyList, type List } from "@/lib/http/list";
import {
  type WebhookEndpoint,
  type WebhookEvent,
  WebhookEventListQuery,
} from "@/lib/webhooks/contract";
import * as events from "@/lib/webhooks/events";
import { sendTest } from "./actions";

/** Other methods are rare enough to be searched for in the address. */
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];

interface Props {
  caller: Caller;
  endpoint: WebhookEndpoint;
  params: SearchParams;
  isSignedIn: boolean;
  /** The event that stands open beside the list. */
  openId?: string;
  /** What stands at the right. */
  pane: ReactNode;
}

/** An endpoint: its URL, its events as they come, and at the right what was chosen. */
export async function EndpointView({ caller, endpoint, params, isSignedIn, openId, pane }: Props) {
  const { id } = endpoint;
  const filters = filtersOf(params);
  const list = await readEvents(caller, id, filters, params);
  const isFiltered = Boolean(filters.method || filters.q || one(params, "after"));
  const isEmpty = list.data.length === 0 && !list.has_more && !isFiltered;
  const here = `/webhooks/${id}`;
  return (
    <>
      <div className={openId ? "max-lg:hidden" : ""}>
        <PageHeader
          title={endpoint.name}
          {...(isSignedIn && { up: { name: "Webhooks", href: "/webhooks" } })}
          count={`${countOf(list)}, the newest ${endpoint.max_events.toLocaleString("en")} are kept`}
          action={
            <ActionForm action={sendTest}>
              <input type="hidden" name="id" value={id} />
              <Submit>Send a test request</Submit>
            </ActionForm>
          }
        />
        <CaptureUrl url={endpoint.url} />
      </div>
      <div className="lg:grid lg:grid-cols-[minmax(0,1fr)_minmax(24rem,44%)]">
        <div className={openId ? "max-lg:hidden" : ""}>
          <div className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line px-4 py-3 sm:px-6">
            <Pills
              label="Method"
              pills={[undefined, ...METHODS].map((method) => ({
                name: method ?? "All",
                href: address(here, { q: filters.q, method }),
                chosen: filters.method === method,
              }))}
            />
            <SearchBox
              label="Text in body or path"
              value={filters.q ?? ""}
              keep={{ method: filters.method }}
            />
            <LiveEvents
              // What was shown is known: counting begins anew after each reading of the list.
              key={`${list.data[0]?.id} ${filters.method} ${filters.q}`}
              href={address(`${here}/live`, {
                ...filters,
                since: list.data[0]?.id ?? "wev_0",
              })}
              isEmpty={isEmpty}
              listHref={one(params, "after") ? address(here, filters) : undefined}
            />
          </div>
          {isEmpty && (
            <Lesson
              title="Waiting for the first request"
              text="Whatever is sent to the URL above appears here at once: any method, any path below it, any body. No key is needed."
              command={curl(endpoint.url, {
                key: false,
                body: { type: "order.paid", order: 1042 },
              })}
            />
          )}
          {list.data.length === 0 && !isEmpty && (
            <p className="px-4 py-10 text-muted sm:px-6">
              {list.has_more
                ? "None yet; there are more to look through."
                : "No event passes these filters."}
            </p>
          )}
          {list.data.length > 0 && (
            <EventTable
              events={list.data}
              openId={openId}
              hrefOf={(event) => address(`${here}/events/${event.id}`, keptOf(params))}
            />
          )}
          <LoadMore href={moreHref(here, filters, params, list)} />
        </div>
        <aside
          aria-label={openId ? "Event" : "Endpoint"}
          className="lg:sticky lg:top-0 lg:max-h-dvh lg:overflow-y-auto lg:border-l lg:border-line"
        >
          {pane}
        </aside>
      </div>
    </>
  );
}

/** What of the address stays when an event is opened and closed. */
export function keptOf(params: SearchParams): Record<string, string | undefined> {
  return { ...filtersOf(params), after: one(params, "after"), shown: one(params, "shown") };
}

function filtersOf(params: SearchParams) {
  return {
    method: one(params, "method")?.toUpperCase() || undefined,
    q: one(params, "q") || undefined,
  };
}

/** A filter that means nothing finds nothing. */
async function readEvents(
  caller: Caller,
  id: string,
  filters: ReturnType<typeof filtersOf>,
  params: SearchParams,
): Promise<List<WebhookEvent>> {
  const parsed = WebhookEventListQuery.safeParse(filters);
  if (!parsed.success) return emptyList({ limit: 1 });
  const { signal } = new AbortController();
  return readShown(params, (part) => events.list(caller, id, { ...parsed.data, ...part }, signal));
}

function CaptureUrl({ url }: { url: string }) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line bg-surface px-4 py-4 sm:px-6">
      <p className="min-w-0 font-mono text-lead wrap-anywhere select-all sm:text-title">{url}</p>
      <CopyButton text={url}>Copy URL</CopyButton>
    </div>
  );
}
