import { Link } from "@/components/ui/link";
import { State, type Tone } from "@/components/ui/state";
import { Time } from "@/components/ui/time";
import type { WebhookEvent } from "@/lib/resources/webhooks/events/contract";
import { causeOf, type Forwarded, stateOf } from "@/lib/resources/webhooks/forward/state";

/** A reason of the API in words: `inbox_full` as "inbox full". */
export function reasonText(reason: string | null): string {
  return (reason ?? "").replaceAll("_", " ");
}

/** Whether an event's signature is valid, and if not, why. */
export function VerificationOutcome({ event }: { event: WebhookEvent }) {
  if (event.verified === null) return <span className="text-muted">not checked</span>;
  return (
    <span>
      <State
        word={event.verified ? "Verified" : "Not verified"}
        tone={event.verified ? "ok" : "failed"}
      />
      {!event.verified && (
        <span className="text-muted"> {reasonText(event.verification_reason)}</span>
      )}
    </span>
  );
}

/** Green only if the event arrived: in an inbox, or at a target that responded with 2xx. */
const TONES: Record<NonNullable<ReturnType<typeof stateOf>>, Tone> = {
  delivered: "ok",
  queued: "waiting",
  retrying: "waiting",
  held: "waiting",
  skipped: "quiet",
  canceled: "quiet",
  unknown: "quiet",
  failed: "failed",
};

/** The current stage of an event, such as "retrying 500"; empty if it was not to be forwarded. */
export function ForwardState({ forwarded }: { forwarded: Forwarded }) {
  const state = stateOf(forwarded);
  if (state === null) return null;
  const { delivery, to_inbox } = forwarded;
  const cause = causeOf(delivery) ?? (state === "delivered" ? delivery?.response_status : null);
  const word = to_inbox || state === "unknown" ? "forwarded" : state;
  return <State word={cause ? `${word} ${reasonText(String(cause))}` : word} tone={TONES[state]} />;
}

/** Where an event went, and its outcome there. */
export function ForwardOutcome({
  forward,
  forwarded,
}: {
  forward: NonNullable<WebhookEvent["forward"]>;
  forwarded: Forwarded;
}) {
  const { status, reason, inbox_id, inbox_event_id, message_id } = forward;
  const { delivery } = forwarded;
  const href =
    message_id === null
      ? `/inboxes/${inbox_id}?event=${inbox_event_id}`
      : `/messages/${message_id}`;
  return (
    <span>
      <ForwardState forwarded={forwarded} />
      {delivery !== null && delivery.next_attempt_at !== null && (
        <span className="text-muted">
          {" "}
          try {delivery.attempts + 1} <Time unix={delivery.next_attempt_at} format="countdown" />
        </span>
      )}
      {reason !== null && <span className="text-muted"> {reasonText(reason)}</span>}
      {status === "forwarded" && (
        <>
          {" "}
          <Link href={href} className="link inline-flex min-h-6 items-center font-mono text-small">
            {message_id ?? inbox_event_id}
          </Link>
        </>
      )}
    </span>
  );
}
