import { bytes } from "@/components/ui/bytes";
import { Link } from "@/components/ui/link";
import { Pane } from "@/components/ui/pane";
import { Section } from "@/components/ui/section";
import { Step, Steps } from "@/components/ui/steps";
import { type FollowedEvent, hasEnded } from "@/lib/resources/webhooks/events/follow";
import type { EventReplay } from "@/lib/resources/webhooks/replays/contract";
import { FollowedInbox } from "./followed-inbox";
import { FollowedMessage } from "./followed-message";
import { FollowedTask } from "./followed-task";
import { reasonText } from "./outcome";
import { RequestTitle } from "./request-title";

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
    <Pane
      label="Event from capture to end"
      title={<RequestTitle request={capture} />}
      isSmall
      id={capture.id}
      closeHref={closeHref}
      tools={
        <>
          <Link href={eventHref} scroll={false} className="button">
            Show request
          </Link>
          <p role="status" className="self-center text-small text-muted">
            {hasEnded(followed) ? "Nothing more will happen by itself" : "Follows the event"}
          </p>
        </>
      }
    >
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
    </Pane>
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
        <Link href={`/messages/${id}`} className="link wrap-anywhere">
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
