import Link from "next/link";
import { bytes } from "@/components/ui/bytes";
import { CloseLink } from "@/components/ui/close-link";
import { CopyText } from "@/components/ui/copy";
import { Method } from "@/components/ui/method";
import { Section } from "@/components/ui/section";
import { Step, Steps } from "@/components/ui/steps";
import { type FollowedEvent, hasEnded } from "@/lib/resources/webhooks/events/follow";
import type { EventReplay } from "@/lib/resources/webhooks/replays/contract";
import { FollowedInbox } from "./followed-inbox";
import { FollowedMessage } from "./followed-message";
import { FollowedTask } from "./followed-task";
import { reasonText } from "./outcome";
import { pathBelowCaptureUrl } from "./request-path";

interface Props {
  followed: FollowedEvent;
  eventHref: string;
  closeHref: string;
}

/** The life of a captured event, from its capture to its end. */
export function Followed({ followed, eventHref, closeHref }: Props) {
  const { capture, inbox, inboxEnd, message, replays, tasks } = followed;
  const { forward } = capture;
  return (
    <article aria-label="Event from capture to end" className="p-4 sm:p-6">
      <div className="flex items-start justify-between gap-3">
        <h1 className="flex min-w-0 items-center gap-2.5 text-lead font-semibold">
          <Method method={capture.method} />
          <span className="min-w-0 truncate font-mono">{pathBelowCaptureUrl(capture) || "/"}</span>
        </h1>
        <CloseLink href={closeHref} />
      </div>
      <p className="mt-1">
        <CopyText text={capture.id} />
      </p>
      <div className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-2">
        <Link href={eventHref} prefetch={false} scroll={false} className="button">
          Show request
        </Link>
        <p role="status" className="text-small text-muted">
          {hasEnded(followed) ? "Nothing more will happen by itself" : "Follows the event"}
        </p>
      </div>
      <Section title="From capture to end">
        <Steps>
          <Step tone="ok" word="Captured" at={capture.received_at}>
            <p className="text-small text-muted">
              {bytes(capture.size_bytes)} from {capture.source_ip ?? "an unknown address"}
            </p>
          </Step>
          <Verification capture={capture} />
          <Forward forward={forward} />
          {message !== null && <FollowedMessage message={message} />}
          {inbox !== null && (
            <FollowedInbox
              stage={inbox}
              end={inboxEnd}
              inboxId={forward?.inbox_id ?? ""}
              eventId={forward?.inbox_event_id ?? ""}
            />
          )}
          {replays.toReversed().map((replay) => (
            <FollowedReplay key={replay.id} replay={replay} />
          ))}
          {tasks.map((task) => (
            <FollowedTask key={task.id} task={task} />
          ))}
        </Steps>
      </Section>
      {capture.organization_id !== null && tasks.length === 0 && (
        <p className="mt-4 text-small text-muted">
          A task shows up here if its external ID is that of the event
          {forward?.inbox_event_id ? " in the endpoint or in the inbox" : ""}.
        </p>
      )}
    </article>
  );
}

function Verification({ capture }: Pick<FollowedEvent, "capture">) {
  const { verified, verification_reason } = capture;
  if (verified === null) {
    return <Step tone="quiet" word="Signature not checked" at={null} />;
  }
  return verified ? (
    <Step tone="ok" word="Verified" at={null} />
  ) : (
    <Step tone="failed" word={`Not verified: ${reasonText(verification_reason)}`} at={null} />
  );
}

function Forward({ forward }: Pick<FollowedEvent["capture"], "forward">) {
  if (forward === null) {
    return (
      <Step tone="quiet" word="Not forwarded" at={null}>
        <p className="text-small text-muted">
          The endpoint had no forward, so the event stays here.
        </p>
      </Step>
    );
  }
  const { status, reason, message_id } = forward;
  const reasons = reason === null ? "" : `: ${reasonText(reason)}`;
  if (status !== "forwarded") {
    return <Step tone={TONES[status]} word={`${WORDS[status]}${reasons}`} at={null} />;
  }
  return (
    <Step
      // The message below says whether it arrived.
      tone={message_id === null ? "ok" : "quiet"}
      word={message_id === null ? "Forwarded to an inbox" : "Forwarded as a message"}
      at={null}
    >
      {reason !== null && (
        <p className="text-small text-muted">
          A duplicate of an event that was already waiting there; nothing was added.
        </p>
      )}
    </Step>
  );
}

function FollowedReplay({ replay }: { replay: EventReplay }) {
  const { id, url, status, created_at, response_status, next_attempt_at, error } = replay;
  const state = next_attempt_at === null ? status : "retrying";
  return (
    <Step tone={REPLAY_TONES[state]} word={`Replayed: ${state}`} at={created_at}>
      <p className="flex flex-wrap gap-x-3 text-small text-muted">
        {response_status !== null && <span className="text-ink">{response_status}</span>}
        <Link href={`/messages/${id}`} prefetch={false} className="link wrap-anywhere">
          {url}
        </Link>
        {error !== null && <span className="wrap-anywhere text-failed">{error}</span>}
      </p>
    </Step>
  );
}

const REPLAY_TONES = {
  scheduled: "waiting",
  delivering: "waiting",
  retrying: "waiting",
  delivered: "ok",
  failed: "failed",
  canceled: "quiet",
} as const;
const TONES = { held: "waiting", skipped: "quiet", failed: "failed" } as const;
const WORDS = { held: "Held back", skipped: "Not forwarded", failed: "Not forwarded" };
