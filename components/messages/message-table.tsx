import Link from "next/link";
import { Time } from "@/components/ui/time";
import type { Message } from "@/lib/messages/contract";
import { MessageState } from "./message-state";

interface Props {
  messages: Message[];
  hrefOf(message: Message): string;
  openId?: string | undefined;
}

/** Messages, one a row: where each goes, its state, and when something happens next or happened last. */
export function MessageTable({ messages, hrefOf, openId }: Props) {
  const narrow = openId !== undefined;
  return (
    <table className="list-table">
      <thead>
        <tr>
          <th scope="col">Message</th>
          <th scope="col">State</th>
          {!narrow && <th scope="col">Tries</th>}
          <th scope="col">When</th>
        </tr>
      </thead>
      <tbody>
        {messages.map((message) => (
          <tr key={message.id} aria-current={message.id === openId ? "true" : undefined}>
            <td className="list-main">
              <span className="flex min-w-0 items-baseline gap-3">
                <span className="w-12 shrink-0 font-mono text-small text-muted">
                  {message.method}
                </span>
                <Link
                  href={hrefOf(message)}
                  prefetch={false}
                  scroll={false}
                  data-row
                  className="row-link min-w-0 truncate"
                >
                  {message.url}
                </Link>
              </span>
            </td>
            <td>
              <MessageState message={message} />
            </td>
            {!narrow && (
              <td className="text-small text-muted tabular-nums">{message.attempts || ""}</td>
            )}
            <td className="text-small text-muted tabular-nums">
              <When message={message} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function When({ message }: { message: Message }) {
  const { status, next_attempt_at, scheduled_at, delivered_at, updated_at } = message;
  if (status === "scheduled") return <Time unix={scheduled_at} />;
  return <Time unix={next_attempt_at ?? delivered_at ?? updated_at} />;
}
