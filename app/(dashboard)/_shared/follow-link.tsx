import { Link } from "@/components/ui/link";
import type { Origin } from "@/lib/resources/webhooks/events/origin";

/** A link from whatever forwards a captured event to the page that follows the event. */
export function FollowLink({ origin }: { origin: Origin | null }) {
  if (!origin) return null;
  return (
    <Link
      href={`/webhooks/${origin.endpoint_id}/events/${origin.event_id}/follow`}
      className="button"
    >
      Follow from capture
    </Link>
  );
}
