import type { Metadata } from "next";
import { withQuery } from "@/app/_shared/query";
import { openPage, type ResourcePage, readOnce } from "@/app/_shared/resources";
import { inSearchTurn } from "@/app/_shared/search-turn";
import { readOrNotFound } from "@/app/(dashboard)/_shared/read-or-not-found";
import { filterText } from "@/app/(dashboard)/webhooks/_components/filter-text";
import { TargetField } from "@/app/(dashboard)/webhooks/_components/replay-section";
import { replayEvents } from "@/app/(dashboard)/webhooks/actions";
import { ActionForm, Submit } from "@/components/ui/action-form";
import { DetailPane } from "@/components/ui/list-and-detail";
import { Pane } from "@/components/ui/pane";
import { Section } from "@/components/ui/section";
import type { Caller } from "@/lib/platform/caller";
import { counted } from "@/lib/platform/counted";
import { WebhookEventListQuery } from "@/lib/resources/webhooks/events/contract";
import { lines } from "@/lib/resources/webhooks/events/lines";
import { recentTargets } from "@/lib/resources/webhooks/replays/history";
import * as webhooks from "@/lib/resources/webhooks/service";
import { BulkReplays } from "../../_components/bulk-replays";
import { filtersOf, preservedParams } from "../../_components/endpoint";
import { readReplays } from "../../_components/replays";

export const metadata: Metadata = { title: "Replay events", robots: { index: false } };

/** Replays all events that match the list's filter, and shows the progress of earlier replays. */
export default async function ReplaysPage(props: ResourcePage) {
  const { id, search, caller, canWrite } = await openPage(props);
  const here = withQuery(`/webhooks/${id}/replays`, search);
  const filters = filtersOf(search);
  const endpoint = await readOrNotFound(here, () => readOnce(webhooks.get, caller, id));
  const [replays, targets, count] = await readOrNotFound(here, () =>
    Promise.all([readReplays(caller, id), recentTargets(caller, id), countOf(caller, id, filters)]),
  );
  const isOwned = endpoint.organization_id !== null;
  return (
    <DetailPane label="Replays" isOpen>
      <Pane
        label="Replay events"
        title="Replay events"
        isSmall
        closeHref={withQuery(`/webhooks/${endpoint.id}`, preservedParams(search))}
      >
        {isOwned && canWrite && (
          <BulkReplayForm
            endpointId={endpoint.id}
            filters={filters}
            count={count}
            targets={targets}
          />
        )}
        {!isOwned && (
          <p className="mt-2 text-muted">
            This endpoint is public. Claim it to replay many of its events at once.
          </p>
        )}
        <Section title="Replays">
          <BulkReplays endpointId={endpoint.id} replays={replays.data} canWrite={canWrite} />
        </Section>
      </Pane>
    </DetailPane>
  );
}

/** The number of matching events; undefined for a search and for an invalid filter. */
async function countOf(
  caller: Caller,
  id: string,
  filters: ReturnType<typeof filtersOf>,
): Promise<number | undefined> {
  const isSearch = filters.q !== undefined || filters.header !== undefined;
  const parsed = WebhookEventListQuery.safeParse(filters);
  if (isSearch || !parsed.success) return undefined;
  const { method } = parsed.data;
  const counted = { method, limit: 1, include: "total_count" };
  return (await inSearchTurn(caller, () => lines(caller, id, counted))).total_count;
}

interface Props {
  endpointId: string;
  filters: { method?: string | undefined; q?: string | undefined; header?: string | undefined };
  /** The number of matching events, if known. */
  count: number | undefined;
  targets: string[];
}

/** Replays all events that match the filter. */
function BulkReplayForm({ endpointId, filters, count, targets }: Props) {
  const { method = "", q = "", header = "" } = filters;
  return (
    <ActionForm
      action={replayEvents}
      className="mt-3 flex flex-wrap items-end gap-x-2 gap-y-3"
      formId={crypto.randomUUID()}
      fields={{ id: endpointId, method, q, header }}
    >
      <p className="basis-full text-muted wrap-anywhere">
        {filterText(filters)}, oldest first, one attempt each.
      </p>
      <TargetField label="Send them again to" targets={targets} />
      <Submit className="button button-primary">
        {count === undefined ? "Replay matching events" : `Replay ${counted(count, "event")}`}
      </Submit>
      <label className="flex basis-full items-baseline gap-2 text-small text-muted">
        <input type="checkbox" name="retry" />
        <span>Retry those that fail</span>
      </label>
    </ActionForm>
  );
}
