import Link from "next/link";
import { State, type Tone } from "@/components/ui/state";
import type { WebhookEvent } from "@/lib/webhooks/events/contract";

/** A reason of the API in words: `inbox_full` as "inbox full". */
export function reasonText(reason: string | null): string {
  return (reason ?? "").replaceAll("_", " ");
}

/** Whether an event's signature is valid, and if not, why. */
export function VerificationOutcome({ event }: { event: WebhookEvent }) {
  if (event.verified === null) return <span className="text-muted">not checked</span>;
  return (
    <>
      <State
        word={event.verified ? "Verified" : "Not verified"}
        tone={event.verified ? "ok" : "failed"}
      />
      {!event.verified && (
        <span className="text-muted">, {reasonText(event.verification_reason)}</span>
      )}
    </>
  );
}

export const FORWARD_TONES: Record<NonNullable<WebhookEvent["forward"]>["status"], Tone> = {
  forwarded: "ok",
  held: "waiting",
  skipped: "quiet",
  failed: "failed",
};

/** Where an event went, and if nowhere, why. */
export function ForwardOutcome({ forward }: { forward: NonNullable<WebhookEvent["forward"]> }) {
  const { status, reason, inbox_id, inbox_event_id, message_id } = forward;
  const href =
    message_id === null
      ? `/inboxes/${inbox_id}?event=${inbox_event_id}`
      : `/messages/${message_id}`;
  return (
    <>
      <State word={status} tone={FORWARD_TONES[status]} />
      {reason !== null && <span className="text-muted">, {reasonText(reason)}</span>}
      {status === "forwarded" && (
        <>
          {" "}
          <Link href={href} prefetch={false} className="link font-mono text-small">
            {message_id ?? inbox_event_id}
          </Link>
        </>
      )}
    </>
  );
}
