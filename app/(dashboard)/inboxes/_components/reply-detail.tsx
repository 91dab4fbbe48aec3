import { FollowLink } from "@/app/(dashboard)/_shared/follow-link";
import type { BodyChoice } from "@/components/bodies/body-content";
import { BodyView } from "@/components/bodies/body-view";
import { CopyButton } from "@/components/ui/copy";
import { Fact, None, PaneFacts, TimeFact } from "@/components/ui/facts";
import { Pane } from "@/components/ui/pane";
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
    <Pane
      label="Reply"
      title="Reply to an event"
      isAside
      id={id}
      closeHref={closeHref}
      tools={
        <>
          <FollowLink origin={origin} />
          <CopyButton text={reply.reply_url}>Copy reply URL</CopyButton>
        </>
      }
    >
      <p className="mt-4 text-muted">The event was acknowledged with this reply.</p>
      <PaneFacts>
        <TimeFact name="Replied" unix={reply.created_at} />
        <TimeFact name="Expires" unix={reply.expires_at} />
        <Fact name="Type">{content_type ?? <None />}</Fact>
      </PaneFacts>
      <BodyView
        body={{ ...recordedBody(bytes, content_type), size_bytes }}
        contentType={content_type}
        contentEncoding={null}
        choice={bodyChoice}
        hrefOf={bodyHrefOf}
        href={`/inboxes/${inbox_id}/events/${id}/reply`}
      />
    </Pane>
  );
}
