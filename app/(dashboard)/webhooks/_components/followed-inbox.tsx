import type { ReactNode } from "react";
import { Deliveries, InInbox } from "@/app/(dashboard)/_shared/in-inbox";
import { bytes } from "@/components/ui/bytes";
import { Link } from "@/components/ui/link";
import { Step } from "@/components/ui/steps";
import type { InboxLocation } from "@/lib/resources/inboxes/events/event-location";
import type { InboxEnd } from "@/lib/resources/webhooks/events/follow";

interface Props {
  stage: InboxLocation;
  end: InboxEnd | null;
  inboxId: string;
  eventId: string;
}

export function FollowedInbox({ stage, end, inboxId, eventId }: Props) {
  if (stage.inbox === "other_owner") {
    return <Step tone="quiet" word="The inbox has another owner" at={null} />;
  }
  const event = stage.inbox === "present" ? stage.event : null;
  const expiredAt = stage.inbox === "present" ? stage.expired_at : null;
  const href = `/inboxes/${inboxId}${event ? `?event=${eventId}` : ""}`;
  return (
    <>
      {stage.inbox === "present" && (
        <Step
          tone="ok"
          word={
            <>
              Forwarded to the inbox{" "}
              <Link href={href} className="link">
                {stage.name}
              </Link>
            </>
          }
          at={event?.received_at ?? null}
        />
      )}
      {event ? (
        <InInbox event={event} />
      ) : (
        <Left end={end} expiredAt={expiredAt}>
          <Reply stage={stage} href={`/inboxes/${inboxId}?event=${eventId}`} />
        </Left>
      )}
      {stage.inbox === "deleted" && <Step tone="quiet" word="The inbox was deleted" at={null} />}
    </>
  );
}

interface LeftProps {
  end: InboxEnd | null;
  expiredAt: number | null;
  /** The reply, if the event left the inbox with one. */
  children: ReactNode;
}

function Left({ end, expiredAt, children }: LeftProps) {
  if (end === null) {
    if (expiredAt !== null) return <Step tone="failed" word="Expired" at={expiredAt} />;
    return (
      <Step tone="quiet" word="Left the inbox" at={null}>
        <p className="text-small text-muted">
          A worker acknowledged it, it expired, or it was deleted. Which one was not recorded.
        </p>
      </Step>
    );
  }
  const { tone, word } = ENDS[end.outcome];
  const by = tone === "ok" && end.consumer !== null ? ` by ${end.consumer}` : "";
  return (
    <>
      <Deliveries count={end.deliveries} consumer={end.consumer} lastError={end.last_error} />
      {end.was_dead && ["deleted", "expired"].includes(end.outcome) && (
        <Step tone="failed" word="Dead letter" at={null} />
      )}
      <Step tone={tone} word={word + by} at={end.at}>
        {end.outcome === "replied" && children}
      </Step>
    </>
  );
}

const ENDS = {
  acknowledged: { tone: "ok", word: "Acknowledged" },
  replied: { tone: "ok", word: "Replied and acknowledged" },
  deleted: { tone: "quiet", word: "Deleted from the inbox" },
  expired: { tone: "failed", word: "Expired" },
} as const;

function Reply({ stage, href }: { stage: InboxLocation; href: string }) {
  const size = stage.inbox === "present" ? stage.reply_bytes : null;
  if (size === null) return <p className="text-small text-muted">The reply is no longer kept.</p>;
  return (
    <p className="text-small">
      <Link href={href} className="link">
        Reply of {bytes(size)}
      </Link>
    </p>
  );
}
