import { OriginStep } from "@/app/(dashboard)/_shared/origin-step";
import type { Parts } from "@/app/(dashboard)/_shared/parts";
import { BodyView } from "@/components/bodies/body-view";
import { bytes } from "@/components/ui/bytes";
import { CopyButton } from "@/components/ui/copy";
import { Pane } from "@/components/ui/pane";
import { Step, Steps } from "@/components/ui/steps";
import { Time } from "@/components/ui/time";
import { recordedBody } from "@/lib/platform/http/recorded-body";
import type { InboxReply } from "@/lib/resources/inboxes/replies/contract";
import type { Origin } from "@/lib/resources/webhooks/events/origin";

interface Props {
  reply: InboxReply & { bytes: Buffer };
  origin: Origin | null;
  parts: Parts;
  closeHref: string;
}

/** The reply to an event that a worker has acknowledged. */
export function ReplyDetail({ reply, origin, parts, closeHref }: Props) {
  const { id, inbox_id, content_type, size_bytes, bytes: stored } = reply;
  return (
    <Pane
      label="Reply"
      title="Reply to an event"
      isAside
      id={id}
      state={
        <span className="text-muted tabular-nums">
          {bytes(size_bytes)}, <Time unix={reply.created_at} />
        </span>
      }
      closeHref={closeHref}
      more={<CopyButton text={reply.reply_url}>Copy reply URL</CopyButton>}
    >
      <div className="my-4">
        <Steps since={origin?.received_at}>
          <OriginStep origin={origin} />
          <Step tone="ok" word="Acknowledged with this reply" at={reply.created_at} />
          <Step tone="quiet" word="Expires" at={reply.expires_at} />
        </Steps>
      </div>
      <BodyView
        body={recordedBody(stored, content_type)}
        contentType={content_type}
        contentEncoding={null}
        {...parts.body}
        href={`/inboxes/${inbox_id}/events/${id}/reply`}
      />
    </Pane>
  );
}
