import Link from "next/link";
import { address, one, type SearchParams } from "@/app/address";
import { countOf, moreOf, readUpTo, shownOf } from "@/app/listing";
import { ActionForm, Submit } from "@/components/ui/action-form";
import { Confirm } from "@/components/ui/confirm";
import { CopyButton, CopyText } from "@/components/ui/copy";
import { curl } from "@/components/ui/curl";
import { Lesson } from "@/components/ui/lesson";
import { NameForm } from "@/components/ui/name-form";
import { PageHeader } from "@/components/ui/page-header";
import { Pills } from "@/components/ui/pills";
import { SearchBox } from "@/components/ui/search-box";
import { WebhookEventTable } from "@/components/webhooks/event-table";
import { LiveEvents } from "@/components/webhooks/live-events";
import type { Caller } from "@/lib/accounts/caller";
import { config } from "@/lib/config";
import { entityTag } from "@/lib/http/conditional";
import { type WebhookEndpoint, WebhookEventListQuery } from "@/lib/webhooks/contract";
import * as events from "@/lib/webhooks/events";
import { deleteEndpoint, purgeEndpoint, sendTestRequest, updateEndpoint } from "../actions";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];

interface Props {
  caller: Caller;
  endpoint: WebhookEndpoint;
  params: SearchParams;
  openId?: string;
}

/** An endpoint: its URL, and what was sent to it, newest first, as it comes. */
export async function EndpointView({ caller, endpoint, params, openId }: Props) {
  const { id, url, name } = endpoint;
  const { shape } = WebhookEventListQuery;
  const method = METHODS.find((known) => known === one(params, "method"));
  const q = shape.q.safeParse(one(params, "q") || undefined).data;
  const after = shape.after.safeParse(one(params, "after")).data;
  const shown = shownOf(params);
  const list = await readUpTo(shown, after, (page) =>
    events.list(caller, id, { ...page, method, q }, AbortSignal.timeout(10_000)),
  );
  const to = (changes: Record<string, string | number | undefined>, path = `/webhooks/${id}`) =>
    address(path, { method, q, ...changes });
  const more = moreOf(list, shown);
  const canWrite = caller.kind === "anonymous" || caller.scopes.includes("api.write");
  const isFiltered = Boolean(method || q || after);
  return (
    <>
      <PageHeader
        title={name}
        count={countOf(list)}
        action={
          canWrite && (
            <ActionForm action={sendTestRequest}>
              <input type="hidden" name="id" value={id} />
              <Submit>Send a test request</Submit>
            </ActionForm>
          )
        }
      >
        <div className="w-full min-w-0 text-lead">
          <button
            type="button"
            data-copy={url}
            title="Copy the capture URL"
            className="max-w-full rounded-md border border-line bg-surface px-3 py-1.5 text-left font-mono text-body wrap-anywhere hover:border-line-strong"
          >
            {url}
          </button>
        </div>
        <Pills
          label="By method"
          pills={[
            { name: "All", href: to({ method: undefined }), chosen: method === undefined },
            ...METHODS.map((known) => ({
              name: known,
              href: to({ method: known }),
              chosen: method === known,
            })),
          ]}
        />
        <SearchBox label="Search bodies and paths" value={q ?? ""} keep={{ method }} />
        {after === undefined && (
          <LiveEvents
            streamUrl={address(`/webhooks/${id}/events/stream`, { method, q })}
            newest={list.data[0]?.id ?? "wev_0"}
          />
        )}
        {canWrite && openId === undefined && <Management endpoint={endpoint} />}
        {openId === undefined && <CopyText text={id} />}
      </PageHeader>
      {canWrite && one(params, "edit") === "1" && (
        <section aria-label="Edit" className="border-b border-line bg-surface px-4 py-4 sm:px-6">
          <div className="max-w-[46rem]">
            <NameForm
              action={updateEndpoint}
              formId={crypto.randomUUID()}
              closeHref={to({})}
              submit="Save changes"
              maxEvents={endpoint.max_events}
              name={name}
              description={endpoint.description}
              id={id}
              tag={entityTag(JSON.stringify(endpoint))}
            />
          </div>
        </section>
      )}
      {list.data.length > 0 ? (
        <WebhookEventTable
          events={list.data}
          endpointId={id}
          openId={openId}
          hrefOf={(event) =>
            to({ shown: one(params, "shown") }, `/webhooks/${id}/events/${event.id}`)
          }
        />
      ) : isFiltered ? (
        <p className="px-4 py-10 text-muted sm:px-6">
          No request passes these filters.{" "}
          <Link href={`/webhooks/${id}`} className="link">
            Show all
          </Link>
        </p>
      ) : (
        <Lesson
          title="Nothing captured yet"
          text="Send anything to the URL, with any method, below it too. It appears here."
          command={curl(url, { key: false, body: { hello: "webhook" } })}
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

function Management({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { id, name, organization_id, event_count = 0 } = endpoint;
  const url = `${config().baseUrl}/api/webhooks/${id}`;
  return (
    <span className="flex flex-wrap gap-2">
      <Link href={`/webhooks/${id}?edit=1`} prefetch={false} className="button">
        Edit
      </Link>
      <CopyButton text={curl(url, { key: organization_id !== null })}>Copy as curl</CopyButton>
      {event_count > 0 && (
        <Confirm
          id="purge-endpoint"
          label={`Purge ${event_count} events`}
          title={`Purge ${event_count} events?`}
          consequence="What was captured is gone. There is no way back; the URL goes on capturing."
          confirm={`Purge ${event_count} events`}
          action={purgeEndpoint}
          fields={{ id }}
          typed={{ label: `Type ${name}`, value: name }}
        />
      )}
      <Confirm
        id="delete-endpoint"
        label="Delete"
        title="Delete this endpoint?"
        consequence={`It and its ${event_count} events are gone. What is sent to its URL afterwards is answered and lost.`}
        confirm="Delete endpoint"
        action={deleteEndpoint}
        fields={{ id }}
        typed={{ label: `Type ${name}`, value: name }}
      />
    </span>
  );
}
