import { queryParam, type SearchParams, withQuery } from "@/app/_shared/query";
import { inSearchTurn } from "@/app/_shared/search-turn";
import { filterReader } from "@/app/(dashboard)/_shared/filter-reader";
import {
  countOf,
  type ListProps,
  moreHref,
  rangeOf,
  rangeParams,
} from "@/app/(dashboard)/_shared/listing";
import { readShown } from "@/app/(dashboard)/_shared/read-shown";
import { RETRIED_MAX } from "@/app/(dashboard)/_shared/retried-max";
import { searchTokens } from "@/app/(dashboard)/_shared/search-tokens";
import { Chips } from "@/components/ui/chips";
import { Confirm } from "@/components/ui/confirm";
import { NoMatches } from "@/components/ui/no-matches";
import { Pills } from "@/components/ui/pills";
import { ResourceIndex } from "@/components/ui/resource-index";
import { SearchBox } from "@/components/ui/search-box";
import { mayWrite } from "@/lib/platform/caller";
import { counted } from "@/lib/platform/counted";
import { countByStatus, messageListVersion } from "@/lib/resources/messages/listing";
import { originsOf } from "@/lib/resources/messages/origins";
import * as messages from "@/lib/resources/messages/service";
import { titlesOf } from "@/lib/resources/titles";
import { retryFailedMessages } from "../actions";
import { MessageForm } from "./message-form";
import { MessageTable } from "./message-table";

/** Messages by state: the page of messages, and the list beside an open message. */
export async function MessageList(props: ListProps) {
  const { caller, params, creating = false, isPaused = creating, openId } = props;
  const { kept, misread } = readFilters(params);
  const { state, q, replay, host, since } = kept;
  const { status, failed } = conditionsOf(state);
  const filters = { status: state, q, replay, host, since };
  const isSearch = Boolean(q || host || since);
  // Read before the rows, so that no later change is missed.
  const version = await messageListVersion(caller, { status, failed, ...rangeOf(params) });
  const [list, counts] = await Promise.all([
    readShown(caller, params, (part) => messages.list(caller, { ...part, status }, filterOf(kept))),
    isSearch ? undefined : inSearchTurn(caller, () => countByStatus(caller, replay)),
  ]);
  const origins = await originsOf(
    caller,
    list.data.map(({ id }) => id),
  );
  const sources = [...origins.values()].flatMap(({ endpoint_id, schedule_id }) =>
    [endpoint_id, schedule_id].filter((id) => id !== null),
  );
  const titles = await titlesOf(caller, sources);
  const isEmpty = list.total_count === 0 && state === undefined && replay === undefined;
  return (
    <ResourceIndex
      kind="messages"
      exported={q || failed || replay ? null : { status }}
      count={countOf(list)}
      newHref={mayWrite(caller) ? withQuery("/messages", { status: state, new: 1 }) : undefined}
      isAside={openId !== undefined}
      form={creating && <MessageForm closeHref={withQuery("/messages", { status: state })} />}
      search={
        <SearchBox
          label="Search URLs"
          hint="Search URLs, or status:failed"
          value={q ?? ""}
          keep={{ ...filters, q: undefined }}
          action="/messages"
        />
      }
      filters={
        <>
          <Pills
            label="State"
            pills={[undefined, ...listedStates].map((one) => ({
              name: counts ? `${one ?? "All"} ${countIn(counts, one)}` : (one ?? "All"),
              href: withQuery("/messages", { status: one, q, replay }),
              chosen: one === state,
            }))}
          />
          <Chips
            chips={[
              ["of", "replay", replay && "one bulk replay"],
              ["to", "host", host],
              [
                "since",
                "since",
                since && `${new Date(Number(since) * 1000).toISOString().slice(0, 16)}Z`,
              ],
            ]}
            without={(param) => withQuery("/messages", { ...filters, [param]: undefined })}
          />
          {state === "failed" && mayWrite(caller) && list.data.length > 0 && (
            <RetryFailed count={counts && (counts.failed ?? 0)} kept={kept} />
          )}
        </>
      }
      misread={misread}
      isEmpty={isEmpty}
      about="A message is an HTTP request that is sent later, and retried when it fails."
      moreHref={moreHref("/messages", filters, params, list)}
      live={{
        href:
          isSearch || replay || isPaused
            ? undefined
            : withQuery("/messages/live", linkParams(kept)),
        shown: version,
        topic: "messages",
        isOpen: openId !== undefined,
      }}
    >
      {list.data.length > 0 && (
        <MessageTable
          messages={list.data}
          origins={origins}
          titles={titles}
          openId={openId}
          hrefOf={({ id }) => withQuery(`/messages/${id}`, linkParams(kept))}
        />
      )}
      {list.data.length === 0 && !isEmpty && <NoMatches noun="messages" allHref="/messages" />}
    </ResourceIndex>
  );
}

function countIn(counts: Awaited<ReturnType<typeof countByStatus>>, state?: ListedState): string {
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return (state ? (counts[state] ?? 0) : all).toLocaleString("en");
}

/**
 * Retries all listed messages that failed permanently, after a confirmation. `count` is undefined in a
 * search, which counts nothing.
 */
function RetryFailed(props: {
  count: number | undefined;
  kept: ReturnType<typeof preservedParams>;
}) {
  const { count, kept } = props;
  const { q, replay, host, since } = kept;
  const isAll = count !== undefined;
  const retried = Math.min(count ?? RETRIED_MAX, RETRIED_MAX);
  const all = (count ?? retried).toLocaleString("en");
  const part = count === retried ? "all" : `${retried.toLocaleString("en")} of`;
  const what = counted(retried, "message");
  const they = count === 1 ? "It" : "They";
  const found = `The failed messages ${q === undefined ? "found" : `whose URL contains “${q}”`}`;
  return (
    <Confirm
      label={isAll ? `Retry ${part} ${all}` : "Retry all found"}
      title={isAll ? `Retry ${what}?` : "Retry all found messages?"}
      consequence={`${isAll ? they : found} will be sent now.${retried === RETRIED_MAX ? ` One call retries ${RETRIED_MAX.toLocaleString("en")} at most, the newest first.` : ""}`}
      confirm={isAll ? `Retry ${what}` : "Retry messages"}
      action={retryFailedMessages}
      fields={{ q: q ?? "", replay: replay ?? "", host: host ?? "", since: since ?? "" }}
      isHarmless
    />
  );
}

/** The states that filter the list. A failed message will be retried, or has failed permanently. */
const listedStates = [
  "scheduled",
  "delivering",
  "retrying",
  "delivered",
  "failed",
  "canceled",
] as const;
type ListedState = (typeof listedStates)[number];

/** Query parameters preserved while a message is open. */
export function preservedParams(params: SearchParams) {
  return readFilters(params).kept;
}

function readFilters(params: SearchParams) {
  const typed = searchTokens(queryParam(params, "q"), ["status"]);
  const { choice, misread } = filterReader(params, typed);
  const state = choice(listedStates, "status", "state");
  const q = typed.text;
  const replay = queryParam(params, "replay") || undefined;
  // Only failed messages can be filtered by host: there may be too many others to search.
  const isFailed = state === "failed" || state === "retrying";
  const host = (isFailed && queryParam(params, "host")) || undefined;
  const from = queryParam(params, "since") ?? "";
  const since = state === "failed" && /^\d{1,10}$/.test(from) ? from : undefined;
  return { kept: { state, q, replay, host, since, ...rangeParams(params) }, misread };
}

function filterOf({ state, q, replay, host, since }: ReturnType<typeof preservedParams>) {
  const { failed } = conditionsOf(state);
  const from = since === undefined ? undefined : Number(since);
  return { words: q, failed, replayId: replay, host, since: from };
}

/** The service's filter for the messages in a state. */
export function conditionsOf(state: ListedState | undefined) {
  if (state === "retrying") return { status: "failed", failed: "retrying" } as const;
  if (state === "failed") return { status: "failed", failed: "final" } as const;
  return { status: state, failed: undefined };
}

/** The filters as query parameters of a page. */
export function linkParams({ state, ...others }: ReturnType<typeof preservedParams>) {
  return { status: state, ...others };
}
