import { MessageState, nextAttemptAt } from "@/app/(dashboard)/_shared/message-state";
import { ListTable } from "@/components/ui/list-table";
import { Method } from "@/components/ui/method";
import { RowLink } from "@/components/ui/row-link";
import { Time } from "@/components/ui/time";
import type { Message } from "@/lib/resources/messages/contract";

interface Props {
  messages: Message[];
  openId: string | undefined;
  hrefOf(message: Message): string;
}

export function MessageTable({ messages, openId, hrefOf }: Props) {
  const narrow = openId !== undefined;
  return (
    <ListTable
      columns={[
        {
          name: "Request",
          look: "list-main",
          cell: (message) => (
            <span className="flex min-w-0 items-center gap-2.5">
              <Method method={message.method} />
              <RowLink href={hrefOf(message)} keepScroll className="min-w-0 truncate">
                {message.url}
              </RowLink>
            </span>
          ),
        },
        { name: "State", look: "", cell: (message) => <MessageState message={message} /> },
        { name: "Time", cell: (message) => <When message={message} /> },
        !narrow && {
          name: "Response",
          look: "max-w-56 truncate text-small text-muted",
          hidden: "sm:max-lg:hidden",
          cell: ({ response_status, last_error }) => response_status ?? last_error,
        },
        !narrow && {
          name: "Attempts",
          cell: ({ attempts }) =>
            attempts > 0 && (
              <>
                {attempts}
                <span className="sm:hidden">{attempts === 1 ? " try" : " tries"}</span>
              </>
            ),
        },
      ]}
      rows={messages}
      openId={openId}
    />
  );
}

function When({ message }: { message: Message }) {
  const fires = nextAttemptAt(message);
  if (fires !== null) return <Time unix={fires} className="text-ink" format="due" />;
  return message.delivered_at !== null && <Time unix={message.delivered_at} />;
}
