import { withQuery } from "@/app/_shared/query";
import { openPage, type ResourcePage, resourceMetadata } from "@/app/_shared/resources";
import { isFinal, snapshotOf } from "@/app/(dashboard)/_shared/message-state";
import { partsOf } from "@/app/(dashboard)/_shared/parts";
import { readOrNotFound } from "@/app/(dashboard)/_shared/read-or-not-found";
import { RunFact } from "@/app/(dashboard)/_shared/run-fact";
import { AutoRefresh } from "@/components/ui/auto-refresh";
import { BesideList } from "@/components/ui/list-and-detail";
import * as messages from "@/lib/resources/messages/service";
import { originOfMessage } from "@/lib/resources/webhooks/events/origin";
import { MessageDetail } from "../_components/message-detail";
import { MessageForm } from "../_components/message-form";
import { linkParams, MessageList, preservedParams } from "../_components/message-list";

export const generateMetadata = resourceMetadata;

/** Only many manual retries cause more attempts. */
const ATTEMPTS_SHOWN = 50;

export default async function MessagePage(props: ResourcePage) {
  const { id, search, caller, account, canWrite, ...page } = await openPage(props);
  const path = `/messages/${id}`;
  const [{ message, run }, attempts, origin] = await readOrNotFound(withQuery(path, search), () =>
    Promise.all([
      messages.getWithRun(caller, id),
      messages.listAttempts(caller, id, { limit: ATTEMPTS_SHOWN, include: "total_count" }),
      originOfMessage(caller, id),
    ]),
  );
  const kept = linkParams(preservedParams(search));
  const isEditing = page.isEditing && message.status === "scheduled";
  return (
    <AutoRefresh
      // Never while the user may be typing.
      href={isEditing || isFinal(message) ? undefined : `${path}/live`}
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
        <MessageDetail
          message={message}
          attempts={attempts}
          schedule={<RunFact caller={caller} run={run} />}
          origin={origin}
          canWrite={canWrite}
          editHref={withQuery(path, { ...kept, edit: 1 })}
          closeHref={account ? withQuery("/messages", kept) : undefined}
          parts={partsOf(search, (part) => withQuery(path, { ...kept, ...part }))}
          form={isEditing && <MessageForm closeHref={withQuery(path, kept)} message={message} />}
        />
      </BesideList>
    </AutoRefresh>
  );
}
