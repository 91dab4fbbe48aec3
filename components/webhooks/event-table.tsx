import Link from "next/link";
import { bytes } from "@/components/ui/bytes";
import { Method } from "@/components/ui/method";
import { Time } from "@/components/ui/time";
import type { WebhookEvent } from "@/lib/webhooks/contract";
import { eventWords } from "./event-words";

interface Props {
  events: WebhookEvent[];
  openId: string | undefined;
  hrefOf(event: WebhookEvent): string;
}

/** Captured requests, newest first. */
export function EventTable({ events, openId, hrefOf }: Props) {
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
        {events.map((event) => {
          const { path, line } = eventWords(event);
          return (
            <tr key={event.id} aria-current={event.id === openId ? "true" : undefined}>
              <td className="list-main">
                <span className="flex min-w-0 items-center gap-2.5">
                  <Method method={event.method} />
                  <Link
                    href={hrefOf(event)}
                    prefetch={false}
                    scroll={false}
                    data-row
                    className="row-link min-w-0 truncate font-mono text-small"
                  >
                    {path && <span>{path} </span>}
                    {line && <span className={path ? "text-muted" : ""}>{line}</span>}
                    {!path && !line && <span className="text-muted">no body</span>}
                  </Link>
                </span>
              </td>
              <td className="text-small text-muted tabular-nums">{bytes(event.size_bytes ?? 0)}</td>
              <td className="text-small text-muted tabular-nums">
                <Time unix={event.received_at} />
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
