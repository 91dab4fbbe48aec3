import type { Metadata } from "next";
import Link from "next/link";
import type { ReactNode } from "react";
import { address, one, type SearchParams } from "@/app/address";
import { found } from "@/app/found";
import { visitor } from "@/app/session";
import { MessageForm } from "@/components/messages/message-form";
import { MessageState } from "@/components/messages/message-state";
import { Timeline } from "@/components/messages/timeline";
import { ActionForm, Submit } from "@/components/ui/action-form";
import { CodeBlock } from "@/components/ui/code-block";
import { Confirm } from "@/components/ui/confirm";
import { CopyButton } from "@/components/ui/copy";
import { curl } from "@/components/ui/curl";
import { Detail } from "@/components/ui/detail";
import { Icon } from "@/components/ui/icon";
import { Split } from "@/components/ui/split";
import { Time } from "@/components/ui/time";
import { config } from "@/lib/config";
import { entityTag } from "@/lib/http/conditional";
import type { Message } from "@/lib/messages/contract";
import * as messages from "@/lib/messages/service";
import { cancelMessage, deleteMessage, retryMessage, updateMessage } from "../actions";
import { MessageList } from "../message-list";

interface Props {
  params: Promise<{ id: string }>;
  searchParams: Promise<SearchParams>;
}

export const metadata: Metadata = { title: "Message", robots: { index: false } };

const ATTEMPTS_SHOWN = 100;

export default async function MessagePage({ params, searchParams }: Props) {
  const { id } = await params;
  const search = await searchParams;
  const { caller, account } = await visitor();
  const here = address(`/messages/${id}`, { ...search });
  const message = await found(here, () => messages.get(caller, id));
  const attempts = await messages.listAttempts(caller, id, { limit: ATTEMPTS_SHOWN });
  const canWrite = caller.kind === "anonymous" || caller.scopes.includes("api.write");
  const editing = canWrite && message.status === "scheduled" && one(search, "edit") === "1";
  const kept = { status: one(search, "status"), shown: one(search, "shown") };
  const detail = (
    <Detail
      title={`${message.method} ${message.url}`}
      id={id}
      closeHref={account ? address("/messages", kept) : "/"}
      state={<MessageState message={message} />}
      actions={!editing && <Actions message={message} canWrite={canWrite} />}
    >
      {editing ? (
        <MessageForm
          action={updateMessage}
          formId={crypto.randomUUID()}
          closeHref={address(`/messages/${id}`, kept)}
          message={message}
          tag={entityTag(JSON.stringify(message))}
        />
      ) : (
        <Content message={message}>
          <Timeline message={message} attempts={attempts.data} />
        </Content>
      )}
    </Detail>
  );
  if (!account) return <div className="mx-auto max-w-[46rem]">{detail}</div>;
  return <Split list={<MessageList caller={caller} params={search} openId={id} />}>{detail}</Split>;
}

function Content({ message, children }: { message: Message; children: ReactNode }) {
  const headers = Object.entries(message.headers);
  return (
    <div className="grid gap-6">
      {message.status === "scheduled" && (
        <p className="text-lead">
          Fires <Time unix={message.scheduled_at} className="font-semibold tabular-nums" />
        </p>
      )}
      {children}
      {headers.length > 0 && (
        <CodeBlock label="Headers">
          {headers.map(([name, value]) => `${name}: ${value}`).join("\n")}
        </CodeBlock>
      )}
      {message.body !== null && <CodeBlock label="Body">{message.body}</CodeBlock>}
    </div>
  );
}

function Actions({ message, canWrite }: { message: Message; canWrite: boolean }) {
  const { id, organization_id, status } = message;
  const command = curl(`${config().baseUrl}/api/messages/${id}`, { key: organization_id !== null });
  return (
    <>
      {canWrite && status === "scheduled" && (
        <Link href={`/messages/${id}?edit=1`} prefetch={false} className="button">
          <Icon name="edit" />
          Edit
        </Link>
      )}
      {canWrite && isOpen(message) && (
        <ActionForm action={cancelMessage}>
          <input type="hidden" name="id" value={id} />
          <Submit className="button">Cancel message</Submit>
        </ActionForm>
      )}
      {canWrite && (status === "failed" || status === "canceled") && (
        <ActionForm action={retryMessage}>
          <input type="hidden" name="id" value={id} />
          <Submit className="button">Retry now</Submit>
        </ActionForm>
      )}
      <CopyButton text={command}>Copy as curl</CopyButton>
      {canWrite && (
        <Confirm
          id={`delete-${id}`}
          label="Delete"
          title="Delete this message?"
          consequence={`It and its ${message.attempts} attempts are gone. What has not fired will not fire.`}
          confirm="Delete message"
          action={deleteMessage}
          fields={{ id }}
        />
      )}
    </>
  );
}

/** It will fire, or fire again: it may be canceled. */
function isOpen({ status, next_attempt_at }: Message) {
  return status === "scheduled" || (status === "failed" && next_attempt_at !== null);
}
