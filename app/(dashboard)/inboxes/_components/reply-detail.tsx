import { FollowLink } from "@/app/(dashboard)/_shared/follow-link";
import type { BodyChoice } from "@/components/bodies/body-content";
import { BodyView } from "@/components/bodies/body-view";
import { CloseLink } from "@/components/ui/close-link";
import { CopyButton, CopyText } from "@/components/ui/copy";
import { Fact, Facts } from "@/components/ui/facts";
import { Time } from "@/components/ui/time";
import { recordedBody } from "@/lib/platform/http/recorded-body";
import type { InboxReply } from "@/lib/resources/inboxes/replies/contract";
import type { Origin } from "@/lib/resources/webhooks/events/origin";

interface Props {
  reply: InboxReply & { bytes: Buffer };
  origin: Origin | null;
  bodyChoice: string | undefined;
  bodyHrefOf(choice: BodyChoice): string;
  closeHref: string;
}

/** The reply to an event that a worker has acknowledged. */
export function ReplyDetail({ reply, origin, bodyChoice, bodyHrefOf, closeHref }: Props) {
  const { id, inbox_id, content_type, size_bytes, bytes } = reply;
  return (
    <article aria-label="Reply" className="p-4 sm:p-6">
      <div className="flex items-start justify-between gap-3">
        <h2 className="text-lead font-semibold">Reply to an event</h2>
        <CloseLink href={closeHref} />
      </div>
      <p className="mt-1">
        <CopyText text={id} />
      </p>
      <p className="mt-2 text-muted">The event was acknowledged with this reply.</p>
      <div className="mt-4 flex flex-wrap gap-2">
        <FollowLink origin={origin} />
        <CopyButton text={reply.reply_url}>Copy reply URL</CopyButton>
      </div>
      <div className="mt-5 border-t border-line pt-4">
        <Facts>
          <Fact name="Replied">
            <Time unix={reply.created_at} />
          </Fact>
          <Fact name="Expires">
            <Time unix={reply.expires_at} />
          </Fact>
          <Fact name="Type">{content_type ?? <span className="text-muted">none</span>}</Fact>
        </Facts>
      </div>
      <BodyView
        body={{ ...recordedBody(bytes, content_type), size_bytes }}
        contentType={content_type}
        contentEncoding={null}
        choice={bodyChoice}
        hrefOf={bodyHrefOf}
        href={`/inboxes/${inbox_id}/events/${id}/reply`}
      />
    </article>
  );
}
