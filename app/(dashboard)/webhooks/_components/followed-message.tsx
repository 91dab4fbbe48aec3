import { isFinal } from "@/app/(dashboard)/_shared/message-state";
import { MessageSteps } from "@/app/(dashboard)/_shared/message-steps";
import { Link } from "@/components/ui/link";
import { Step } from "@/components/ui/steps";
import type { FollowedEvent } from "@/lib/resources/webhooks/events/follow";

/** The message that forwards an event, and its attempts. */
export function FollowedMessage({
  message: sent,
}: {
  message: NonNullable<FollowedEvent["message"]>;
}) {
  if (sent === "deleted") {
    return (
      <Step tone="quiet" word="Message deleted" at={null}>
        <p className="text-small text-muted">
          A forward's message is kept for at most 7 days after it has ended. Its attempts are no
          longer known.
        </p>
      </Step>
    );
  }
  if (sent === "other_owner") {
    return <Step tone="quiet" word="The message has another owner" at={null} />;
  }
  const { message, attempts } = sent;
  return (
    <>
      <Step
        tone="quiet"
        word={
          <Link href={`/messages/${message.id}`} className="link">
            Message to {new URL(message.url).host}
          </Link>
        }
        at={null}
      />
      <MessageSteps message={message} attempts={attempts} />
      {message.status === "delivered" && (
        <Step tone="ok" word="Delivered" at={message.delivered_at} />
      )}
      {message.status === "failed" && isFinal(message) && (
        <Step tone="failed" word="Failed: no further attempt" at={message.delivered_at} />
      )}
    </>
  );
}
