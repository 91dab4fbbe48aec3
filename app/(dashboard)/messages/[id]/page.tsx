import { queryParam, withQuery } from "@/app/_shared/query";
import { type ResourcePage, resourceMetadata } from "@/app/_shared/resources";
import { visitor } from "@/app/_shared/session";
import { isFinal, snapshotOf } from "@/app/(dashboard)/_shared/message-state";
import { readOrNotFound } from "@/app/(dashboard)/_shared/read-or-not-found";
import { RunFact } from "@/app/(dashboard)/_shared/run-fact";
import { AutoRefresh } from "@/components/ui/auto-refresh";
import { BesideList } from "@/components/ui/list-and-detail";
import { mayWrite } from "@/lib/platform/caller";
import * as messages from "@/lib/resources/messages/service";
import { originOfMessage } from "@/lib/resources/webhooks/events/origin";
import { MessageDetail } from "../_components/message-detail";
import { MessageForm } from "../_components/message-form";
import { linkParams, MessageList, preservedParams } from "../_components/message-list";

export const generateMetadata = resourceMetadata;

/** Only many manual retries cause more attempts. */
const ATTEMPTS_SHOWN = 50;

export default async function MessagePage({ params, searchParams }: ResourcePage) {
  const { id } = await params;
  const search = await searchParams;
  const { caller, account } = await visitor();
  const [{ message, run }, attempts, origin] = await readOrNotFound(
    withQuery(`/messages/${id}`, search),
    () =>
      Promise.all([
        messages.getWithRun(caller, id),
        messages.listAttempts(caller, id, { limit: ATTEMPTS_SHOWN, include: "total_count" }),
        originOfMessage(caller, id),
      ]),
  );
  const kept = linkParams(preservedParams(search));
  const here = withQuery(`/messages/${id}`, kept);
  const canWrite = mayWrite(caller);
  const isEditing =
    canWrite && message.status === "scheduled" && queryParam(search, "edit") === "1";
  const detail = (
    <MessageDetail
      message={message}
      attempts={attempts}
      schedule={<RunFact caller={caller} run={run} />}
      origin={origin}
      canWrite={canWrite}
      editHref={withQuery(`/messages/${id}`, { ...kept, edit: 1 })}
      closeHref={account ? withQuery("/messages", kept) : undefined}
      tab={queryParam(search, "tab")}
      tabHrefOf={(tab) => withQuery(`/messages/${id}`, { ...kept, tab })}
      bodyChoice={queryParam(search, "body")}
      bodyHrefOf={(body) => withQuery(`/messages/${id}`, { ...kept, tab: "body", body })}
      form={isEditing ? <MessageForm closeHref={here} message={message} /> : undefined}
    />
  );
  return (
    <AutoRefresh
      // Never while the user may be typing.
      href={isEditing || isFinal(message) ? undefined : `/messages/${id}/live`}
      shown={snapshotOf(message)}
    >
      <BesideList
        label="Message"
        list={
          account && (
            <MessageList caller={caller} params={search} isPaused={isEditing} openId={id} />
          )
        }
      >
        {detail}
      </BesideList>
    </AutoRefresh>
  );
}
