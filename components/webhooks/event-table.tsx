import Link from "next/link";
import { bytes } from "@/components/ui/bytes";
import { Time } from "@/components/ui/time";
import type { WebhookEvent } from "@/lib/webhooks/contract";
import { MethodBadge } from "./method-badge";

const START_MAX = 160;

interface Props {
  events: WebhookEvent[];
  endpointId: string;
  hrefOf(event: WebhookEvent): string;
  openId: string | undefined;
}

/** Captured requests, newest first: method, where below the URL and how the body begins, size, age. */
export function WebhookEventTable({ events, endpointId, hrefOf, openId }: Props) {
  const root = `/api/catch/${endpointId}`;
  return (
    <table className="list-table">
      <thead>
        <tr>
          <th scope="col">Request</th>
          <th scope="col">Size</th>
          <th scope="col">Captured</th>
        </tr>
      </thead>
      <tbody>
        {events.map((event) => (
          <tr key={event.id} aria-current={event.id === openId ? "true" : undefined}>
            <td className="list-main">
              <span className="flex min-w-0 items-center gap-3">
                <MethodBadge method={event.method} />
                <Link
                  href={hrefOf(event)}
                  prefetch={false}
                  scroll={false}
                  data-row
                  className="row-link min-w-0 truncate font-mono text-small"
                >
                  {startOf(event, root)}
                </Link>
              </span>
            </td>
            <td className="text-small text-muted tabular-nums">{bytes(event.size_bytes)}</td>
            <td className="text-small text-muted tabular-nums">
              <Time unix={event.received_at} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function startOf({ path, query_string, body }: WebhookEvent, root: string): string {
  const below = path.startsWith(root) ? path.slice(root.length) : path;
  const where = `${below}${query_string && `?${query_string}`}`;
  const line = (body ?? "").slice(0, START_MAX).replaceAll(/\s+/g, " ");
  return [where, line].filter((part) => part !== "").join("  ") || "/";
}
