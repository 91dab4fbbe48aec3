import Link from "next/link";
import { CopyText } from "@/components/ui/copy";
import { Time } from "@/components/ui/time";
import type { WebhookEndpoint } from "@/lib/webhooks/contract";

/** Endpoints, one a row; a card at 640 px and below. */
export function EndpointTable({ endpoints }: { endpoints: WebhookEndpoint[] }) {
  return (
    <table className="list-table">
      <thead>
        <tr>
          <th scope="col">Endpoint</th>
          <th scope="col">Keeps</th>
          <th scope="col">Created</th>
          <th scope="col">Capture URL</th>
        </tr>
      </thead>
      <tbody>
        {endpoints.map(({ id, name, description, max_events, created_at, url }) => (
          <tr key={id}>
            <td className="list-main">
              <span className="flex min-w-0 items-baseline gap-3">
                <Link
                  href={`/webhooks/${id}`}
                  prefetch={false}
                  data-row
                  className="row-link max-w-full shrink-0 truncate font-medium"
                >
                  {name}
                </Link>
                {description && (
                  <span className="min-w-0 truncate text-small text-muted max-sm:hidden">
                    {description}
                  </span>
                )}
              </span>
            </td>
            <td className="text-small text-muted tabular-nums">
              {max_events.toLocaleString("en")} events
            </td>
            <td className="text-small text-muted tabular-nums">
              <Time unix={created_at} />
            </td>
            <td>
              <CopyText text={url} shown={`/api/catch/…${id.slice(-6)}`} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
