import { MessageState, nextAttemptAt } from "@/app/(dashboard)/_shared/message-state";
import { BufferedTable } from "@/components/ui/buffered-table";
import { Method } from "@/components/ui/method";
import { RowLink } from "@/components/ui/row-link";
import { Time } from "@/components/ui/time";
import type { Message } from "@/lib/resources/messages/contract";

interface Props {
  messages: Message[];
  openId: string | undefined;
  hrefOf(message: Message): string;
}

/** One message per row; cards at 640 px and below. */
export function MessageTable({ messages, openId, hrefOf }: Props) {
  const narrow = openId !== undefined;
  return (
    <BufferedTable
      head={
        <tr>
          <th scope="col">Request</th>
          <th scope="col">State</th>
          <th scope="col">Time</th>
          {!narrow && (
            <th scope="col" className="max-lg:hidden">
              Response
            </th>
          )}
          {!narrow && <th scope="col">Attempts</th>}
        </tr>
      }
      rows={messages.map((message) => {
        const fires = nextAttemptAt(message);
        const row = (
          <tr key={message.id} aria-current={message.id === openId ? "true" : undefined}>
            <td className="list-main">
              <span className="flex min-w-0 items-center gap-2.5">
                <Method method={message.method} />
                <RowLink href={hrefOf(message)} keepScroll className="min-w-0 truncate">
                  {message.url}
                </RowLink>
              </span>
            </td>
            <td>
              <MessageState message={message} />
            </td>
            <td className="text-small text-muted tabular-nums">
              {fires !== null && <Time unix={fires} className="text-ink" format="due" />}
              {fires === null && message.delivered_at !== null && (
                <Time unix={message.delivered_at} />
              )}
            </td>
            {!narrow && (
              <td className="max-w-56 truncate text-small text-muted sm:max-lg:hidden">
                {message.response_status ?? message.last_error}
              </td>
            )}
            {!narrow && (
              <td className="text-small text-muted tabular-nums">
                {message.attempts > 0 && message.attempts}
                {message.attempts > 0 && (
                  <span className="sm:hidden">{message.attempts === 1 ? " try" : " tries"}</span>
                )}
              </td>
            )}
          </tr>
        );
        return { id: message.id, row };
      })}
    />
  );
}
