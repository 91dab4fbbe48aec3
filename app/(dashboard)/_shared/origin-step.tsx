import { Link } from "@/components/ui/link";
import { Step } from "@/components/ui/steps";
import type { Origin } from "@/lib/resources/webhooks/events/origin";

/** The capture with which the journey of a message or an inbox event began. */
export function OriginStep({ origin }: { origin: Origin | null }) {
  if (!origin) return null;
  return (
    <Step
      tone="ok"
      word={
        <Link
          href={`/webhooks/${origin.endpoint_id}/events/${origin.event_id}?tab=journey`}
          className="link"
        >
          {origin.is_replay ? "Captured, then replayed" : "Captured"}
        </Link>
      }
      at={origin.received_at}
    />
  );
}
