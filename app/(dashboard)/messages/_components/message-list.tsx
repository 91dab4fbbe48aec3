import { queryParam, type SearchParams, withQuery } from "@/app/_shared/query";
import {
  countOf,
  moreHref,
  rangeOf,
  rangeParams,
  readShown,
} from "@/app/(dashboard)/_shared/listing";
import { NoMatches } from "@/components/ui/no-matches";
import { Pills } from "@/components/ui/pills";
import { ResourceIndex } from "@/components/ui/resource-index";
import { type Caller, mayWrite } from "@/lib/caller";
import { MessageListQuery } from "@/lib/messages/contract";
import { countByStatus, listVersion } from "@/lib/messages/listing";
import * as messages from "@/lib/messages/service";
import { createMessage } from "../actions";
import { MessageForm } from "./message-form";
import { MessageTable } from "./message-table";

interface Props {
  caller: Caller;
  params: SearchParams;
  creating?: boolean;
  /** The list does not refresh: the user may be typing. */
  isPaused?: boolean;
  /** The message that is open beside the list. */
  openId?: string;
}

/** Messages by state: the page of messages, and the list beside an open message. */
export async function MessageList(props: Props) {
  const { caller, params, creating = false, isPaused = creating, openId } = props;
  const kept = preservedParams(params);
  const { status } = kept;
  // Read first, so that no later change is missed.
  const mark = await listVersion(caller, { status, ...rangeOf(params) });
  const [list, counts] = await Promise.all([
    readShown(params, (part) => messages.list(caller, { ...part, status })),
    countByStatus(caller),
  ]);
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const isEmpty = list.total_count === 0 && status === undefined;
  return (
    <ResourceIndex
      kind="messages"
      exported={{ status }}
      count={countOf(list)}
      newHref={mayWrite(caller) ? withQuery("/messages", { status, new: 1 }) : undefined}
      isAside={openId !== undefined}
      form={
        creating && (
          <MessageForm
            action={createMessage}
            closeHref={withQuery("/messages", { status })}
            formId={crypto.randomUUID()}
          />
        )
      }
      filters={
        <Pills
          label="State"
          pills={[undefined, ...MessageListQuery.shape.status.unwrap().options].map((state) => ({
            name: `${state ?? "All"} ${(state ? (counts[state] ?? 0) : all).toLocaleString("en")}`,
            href: withQuery("/messages", { status: state }),
            chosen: state === status,
          }))}
        />
      }
      isEmpty={isEmpty}
      about="A message is an HTTP request that is sent later, and retried when it fails."
      moreHref={moreHref("/messages", { status }, params, list)}
      live={{
        href: isPaused ? undefined : withQuery("/messages/live", kept),
        shown: mark,
        topic: "messages",
        isOpen: openId !== undefined,
      }}
    >
      {list.data.length > 0 && (
        <MessageTable
          messages={list.data}
          openId={openId}
          hrefOf={({ id }) => withQuery(`/messages/${id}`, kept)}
        />
      )}
      {list.data.length === 0 && !isEmpty && <NoMatches noun="messages" allHref="/messages" />}
    </ResourceIndex>
  );
}

/** Query parameters preserved while a message is open. */
export function preservedParams(params: SearchParams) {
  const status = MessageListQuery.shape.status.safeParse(queryParam(params, "status"));
  return { status: status.data, ...rangeParams(params) };
}
