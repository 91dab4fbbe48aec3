import Link from "next/link";
import { CopyText } from "@/components/ui/copy";
import { Time } from "@/components/ui/time";
import type { WebhookEndpoint } from "@/lib/webhooks/contract";

/** Capture endpoints, one a row, each with the URL that it keeps everything of. */
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
        {endpoints.map((endpoint) => (
          <tr key={endpoint.id}>
            <td className="list-main">
              <span className="flex min-w-0 items-baseline gap-2">
                <Link
                  href={`/webhooks/${endpoint.id}`}
                  prefetch={false}
                  data-row
                  className="row-link min-w-0 truncate font-medium"
                >
                  {endpoint.name}
                </Link>
                <span className="truncate text-small text-muted">{endpoint.description}</span>
              </span>
            </td>
            <td className="text-small text-muted tabular-nums">{endpoint.max_events} events</td>
            <td className="text-small text-muted tabular-nums">
              <Time unix={endpoint.created_at} />
            </td>
            <td className="max-sm:hidden">
              <CopyText text={endpoint.url} shown={`…/catch/…${endpoint.id.slice(-6)}`} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
