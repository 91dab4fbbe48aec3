import { address, one, type SearchParams } from "@/app/address";
import { countOf, moreOf, readUpTo, shownOf } from "@/app/listing";
import { MessageForm } from "@/components/messages/message-form";
import { MessageTable } from "@/components/messages/message-table";
import { curl } from "@/components/ui/curl";
import { Lesson } from "@/components/ui/lesson";
import { ListPage } from "@/components/ui/list-page";
import { Pills } from "@/components/ui/pills";
import type { Caller } from "@/lib/accounts/caller";
import { config } from "@/lib/config";
import { MessageListQuery } from "@/lib/messages/contract";
import * as messages from "@/lib/messages/service";
import { createMessage } from "./actions";

const STATUSES = ["scheduled", "delivering", "delivered", "failed", "canceled"] as const;

interface Props {
  caller: Caller;
  params: SearchParams;
  openId?: string;
}

/** The list of messages with its filters: its own page, and the left side of a message's. */
export async function MessageList({ caller, params, openId }: Props) {
  const status = STATUSES.find((known) => known === one(params, "status"));
  const shown = shownOf(params);
  const after = MessageListQuery.shape.after.safeParse(one(params, "after")).data;
  const list = await readUpTo(shown, after, (page) => messages.list(caller, { ...page, status }));
  const to = (changes: Record<string, string | number | undefined>) =>
    address("/messages", { status, ...changes });
  const more = moreOf(list, shown);
  return (
    <ListPage
      title="Messages"
      count={countOf(list)}
      create={{ href: to({ new: 1 }), label: "New message" }}
      more={more && to(more)}
      allHref={status || after ? "/messages" : undefined}
      filters={
        <Pills
          label="By state"
          pills={[
            { name: "All", href: to({ status: undefined }), chosen: status === undefined },
            ...STATUSES.map((name) => ({
              name,
              href: to({ status: name }),
              chosen: status === name,
            })),
          ]}
        />
      }
      form={
        one(params, "new") === "1" && (
          <MessageForm action={createMessage} formId={crypto.randomUUID()} closeHref={to({})} />
        )
      }
      lesson={
        <Lesson
          title="No messages yet"
          text="A message is an HTTP request at a time. It is tried again until its target takes it."
          command={curl(`${config().baseUrl}/api/messages`, {
            body: { url: "https://example.com/", body: "hello", delay_seconds: 3600 },
          })}
          action={
            <a href="/messages?new=1" className="button">
              New message
            </a>
          }
        />
      }
    >
      {list.data.length > 0 ? (
        <MessageTable
          messages={list.data}
          hrefOf={({ id }) => address(`/messages/${id}`, { status, shown: one(params, "shown") })}
          openId={openId}
        />
      ) : undefined}
    </ListPage>
  );
}
