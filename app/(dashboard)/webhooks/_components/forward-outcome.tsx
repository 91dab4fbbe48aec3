"use client";

import { useState } from "react";
import { Link } from "@/components/ui/link";
import { Time } from "@/components/ui/time";
import { usePoll } from "@/components/ui/use-poll";
import type { WebhookEvent } from "@/lib/resources/webhooks/events/contract";
import { type Forwarded, isUnderWay } from "@/lib/resources/webhooks/forward/state";
import { ForwardState, reasonText } from "./outcome";

interface Props {
  endpointId: string;
  eventId: string;
  forward: NonNullable<WebhookEvent["forward"]>;
  /** Its outcome when the page was rendered. */
  first: Forwarded;
}

/** Where an event went, and its outcome there, kept up to date while it may change. */
export function ForwardOutcome({ endpointId, eventId, forward, first }: Props) {
  const [forwarded, setForwarded] = useState(first);
  usePoll(
    isUnderWay(forwarded) ? `/webhooks/${endpointId}/forwarded?ids=${eventId}` : undefined,
    (text) => {
      if (text !== null) setForwarded(JSON.parse(text)[eventId] ?? forwarded);
    },
  );
  const { status, reason, inbox_id, inbox_event_id, message_id } = forward;
  const { delivery, forward_status } = forwarded;
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
      {reason !== null && forward_status === status && (
        <span className="text-muted"> {reasonText(reason)}</span>
      )}
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
