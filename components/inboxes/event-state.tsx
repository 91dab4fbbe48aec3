import { State, type Tone } from "@/components/ui/state";
import { Time } from "@/components/ui/time";
import type { InboxEvent } from "@/lib/inboxes/event-contract";

const TONES: Record<InboxEvent["state"], Tone> = {
  ready: "quiet",
  delayed: "waiting",
  leased: "waiting",
  dead: "failed",
};

/** Where an event is: for a lease, who holds it and for how long. */
export function EventState({ event }: { event: InboxEvent }) {
  const { state, consumer, leased_until, visible_at } = event;
  return (
    <span className="inline-flex max-w-full items-baseline gap-x-2">
      <State word={state} tone={TONES[state]} />
      {state === "leased" && (
        <span className="truncate text-small text-muted">
          {consumer} <Time unix={leased_until} />
        </span>
      )}
      {state === "delayed" && (
        <span className="text-small text-muted">
          <Time unix={visible_at} />
        </span>
      )}
    </span>
  );
}
