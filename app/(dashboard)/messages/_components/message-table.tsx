import { MessageState, nextAttemptAt } from "@/app/(dashboard)/_shared/message-state";
import { ListTable, NEWEST_FIRST, timeColumn } from "@/components/ui/list-table";
import { Method } from "@/components/ui/method";
import { RowLink } from "@/components/ui/row-link";
import { Time } from "@/components/ui/time";
import type { Message } from "@/lib/resources/messages/contract";
import type { MessageOrigin } from "@/lib/resources/messages/origins";
import { withoutScheme } from "@/lib/resources/messages/target";

interface Props {
  messages: Message[];
  /** What made each message, by its ID, and the titles of these resources. */
  origins: Map<string, MessageOrigin>;
  titles: Map<string, string>;
  openId: string | undefined;
  hrefOf(message: Message): string;
}

export function MessageTable({ messages, origins, titles, openId, hrefOf }: Props) {
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
                {narrow ? withoutScheme(message.url) : message.url}
              </RowLink>
            </span>
          ),
        },
        { name: "State", look: "", cell: (message) => <MessageState message={message} /> },
        { name: "Time", cell: (message) => <When message={message} /> },
        {
          name: "Response",
          look: "max-w-56 truncate text-small text-muted tabular-nums",
          hidden: narrow ? "max-2xl:hidden" : "sm:max-lg:hidden",
          cell: ({ id, response_status, last_error }) => {
            const taken = origins.get(id)?.duration_ms ?? null;
            const words = [
              response_status ?? last_error?.split(":", 1)[0],
              taken !== null && `${taken.toLocaleString("en")} ms`,
            ];
            return words.filter(Boolean).join(" · ");
          },
        },
        !narrow && {
          name: "From",
          look: "max-w-44 truncate text-small text-muted",
          hidden: "sm:max-lg:hidden",
          cell: ({ id }) => <From origin={origins.get(id)} titles={titles} />,
        },
        !narrow && {
          name: "Attempts",
          hidden: "max-sm:hidden",
          cell: ({ attempts }) => attempts > 0 && attempts,
        },
        !narrow && timeColumn("Created", "created_at", "max-xl:hidden", NEWEST_FIRST),
      ]}
      rows={messages}
      openId={openId}
    />
  );
}

function From(props: { origin: MessageOrigin | undefined; titles: Map<string, string> }) {
  const { origin, titles } = props;
  if (!origin) return null;
  const { endpoint_id, is_replay, schedule_id, subscription_id } = origin;
  if (schedule_id !== null) return titles.get(schedule_id) ?? "a schedule";
  if (subscription_id !== null) return "a subscription";
  if (endpoint_id === null) return "API";
  const endpoint = titles.get(endpoint_id) ?? "an endpoint";
  return is_replay ? `replay of ${endpoint}` : endpoint;
}

function When({ message }: { message: Message }) {
  const fires = nextAttemptAt(message);
  if (fires !== null) return <Time unix={fires} className="text-ink" format="due" />;
  return message.delivered_at !== null && <Time unix={message.delivered_at} />;
}
