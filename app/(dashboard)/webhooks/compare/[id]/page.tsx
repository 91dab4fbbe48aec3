import type { Metadata } from "next";
import { queryParam, type SearchParams, withQuery } from "@/app/_shared/query";
import { openPage, type ResourcePage, readOnce } from "@/app/_shared/resources";
import { readOrNotFound } from "@/app/(dashboard)/_shared/read-or-not-found";
import { PageHeader } from "@/components/ui/page-header";
import type { Caller } from "@/lib/platform/caller";
import type { WebhookEvent } from "@/lib/resources/webhooks/events/contract";
import { type EventLine, lines } from "@/lib/resources/webhooks/events/lines";
import * as events from "@/lib/resources/webhooks/events/service";
import * as webhooks from "@/lib/resources/webhooks/service";
import { ChooseEvents } from "../../_components/choose-events";
import { Comparison } from "../../_components/comparison";

export const metadata: Metadata = { title: "Compare events", robots: { index: false } };

/** How many events a list offers. */
const EVENTS_OFFERED = 50;

/** Two captured requests side by side; by default the newest and the last one like it. */
export default async function ComparePage(props: ResourcePage) {
  const { id, search, caller } = await openPage(props);
  const here = withQuery(`/webhooks/compare/${id}`, search);
  const endpoint = await readOrNotFound(here, () => readOnce(webhooks.get, caller, id));
  const newest = (await lines(caller, id, { limit: EVENTS_OFFERED })).data;
  const chosen = await readOrNotFound(here, () => readChosen(caller, id, search, newest));
  return (
    <>
      <PageHeader
        title="Compare events"
        up={{ name: endpoint.name, href: `/webhooks/${id}` }}
        count={chosen ? undefined : "Capture two requests to compare them."}
      />
      {chosen && (
        <>
          <ChooseEvents path={`/webhooks/compare/${id}`} chosen={chosen} newest={newest} />
          <Comparison left={chosen.left} right={chosen.right} />
        </>
      )}
    </>
  );
}

/** The selected events; null if there are not two. Throws 404. */
async function readChosen(
  caller: Caller,
  id: string,
  search: SearchParams,
  newest: EventLine[],
): Promise<{ left: WebhookEvent; right: WebhookEvent } | null> {
  const rightId = queryParam(search, "right") || newest[0]?.id;
  if (!rightId) return null;
  const right = await events.get(caller, id, rightId);
  const left = queryParam(search, "left") || (await olderThan(caller, id, right));
  return left ? { left: await events.get(caller, id, left), right } : null;
}

/**
 * The last event before this one with the same method and path, or with others if there is none; after
 * it if this one is the oldest.
 */
async function olderThan(
  caller: Caller,
  id: string,
  { id: event, method, path }: WebhookEvent,
): Promise<string | undefined> {
  const older = (await lines(caller, id, { limit: EVENTS_OFFERED, after: event })).data;
  const alike = older.find((one) => one.method === method && one.path === path) ?? older[0];
  if (alike) return alike.id;
  const [one, other] = (await lines(caller, id, { limit: 2 })).data;
  return one?.id === event ? other?.id : one?.id;
}
