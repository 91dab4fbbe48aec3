import { CodeBlock } from "@/components/ui/code-block";
import { Step } from "@/components/ui/steps";
import type { EventLocation } from "@/lib/resources/inboxes/events/event-location";

/** The steps of an event that is still in its inbox, after its arrival. */
export function InInbox({ event }: { event: Omit<EventLocation, "received_at"> }) {
  const { state, visible_at, expires_at, consumer } = event;
  return (
    <>
      <Deliveries count={event.delivery_count} consumer={consumer} lastError={event.last_error} />
      {state === "ready" && <Step tone="waiting" word="Waiting for a worker" at={null} />}
      {state === "delayed" && (
        <Step tone="waiting" word="Ready again" at={visible_at} words="countdown" />
      )}
      {state === "leased" && (
        <Step
          tone="waiting"
          word={`Leased by ${consumer ?? "a worker"}, until`}
          at={visible_at}
          words="countdown"
        />
      )}
      {state === "dead" && (
        <Step tone="failed" word="Dead letter" at={null}>
          <p className="text-small text-muted">No worker receives it until it is redriven.</p>
        </Step>
      )}
      <Step tone="quiet" word="Expires" at={expires_at} />
    </>
  );
}

interface DeliveriesProps {
  count: number;
  consumer: string | null;
  lastError: string | null;
}

/** Only the latest lease's error is stored. */
export function Deliveries({ count, consumer, lastError }: DeliveriesProps) {
  if (count === 0) return null;
  const times = count === 1 ? "once" : `${count} times`;
  const by = consumer === null ? "" : count === 1 ? ` by ${consumer}` : `, last by ${consumer}`;
  return (
    <Step tone={lastError === null ? "ok" : "failed"} word={`Received ${times}${by}`} at={null}>
      {lastError !== null && (
        <details className="mt-1">
          <summary className="cursor-pointer text-small text-muted hover:text-ink">
            Last error
          </summary>
          <div className="mt-2">
            <CodeBlock label="Last error">{lastError}</CodeBlock>
          </div>
        </details>
      )}
    </Step>
  );
}
