import type { ReactNode } from "react";
import { MessageState, nextAttemptAt } from "@/app/(dashboard)/_shared/message-state";
import { MessageSteps } from "@/app/(dashboard)/_shared/message-steps";
import { OriginStep } from "@/app/(dashboard)/_shared/origin-step";
import type { Parts } from "@/app/(dashboard)/_shared/parts";
import { BodyView } from "@/components/bodies/body-view";
import { ActionForm, Submit } from "@/components/ui/action-form";
import { CopyButton } from "@/components/ui/copy";
import { curlOfRequest, fitsInCommand } from "@/components/ui/curl";
import { DeleteButton } from "@/components/ui/delete-button";
import { Fact, Facts } from "@/components/ui/facts";
import { HeaderTable } from "@/components/ui/header-table";
import { Method } from "@/components/ui/method";
import { CopyCall, callOf, EditLink, Pane } from "@/components/ui/pane";
import { ExternalId, PublicFact } from "@/components/ui/resource-facts";
import { Steps } from "@/components/ui/steps";
import { Time } from "@/components/ui/time";
import { counted } from "@/lib/platform/counted";
import { REDACTED } from "@/lib/platform/http/recorded-headers";
import type { List } from "@/lib/platform/lists/list";
import type { Message, MessageAttempt } from "@/lib/resources/messages/contract";
import type { Origin } from "@/lib/resources/webhooks/events/origin";
import { actOnMessage, deleteMessage } from "../actions";
import { storedBodyOf } from "./stored-body";

/** A longer URL is cut. */
const URL_IN_TITLE_MAX = 120;

interface Props {
  message: Message;
  attempts: List<MessageAttempt>;
  /** The fact that names its schedule. */
  schedule: ReactNode;
  origin: Origin | null;
  canWrite: boolean;
  editHref: string;
  /** Undefined if there is no list beside it. */
  closeHref: string | undefined;
  parts: Parts;
  /** The edit form, when it is open. */
  form?: ReactNode;
}

/** One message: its request, schedule and attempts. */
export function MessageDetail(props: Props) {
  const { message, attempts, origin, canWrite, editHref, closeHref, parts, form } = props;
  const { id, method, url, status, next_attempt_at, response_status } = message;
  const fires = nextAttemptAt(message);
  const stored = storedBodyOf(message);
  const headers = Object.entries(message.headers);
  const tabs = parts.tabs([
    { name: "Journey" },
    { name: "Body" },
    headers.length > 0 && { name: "Headers", count: headers.length },
  ]);
  const { chosen } = tabs;
  const canCancel = status === "scheduled" || next_attempt_at !== null;
  const canRetry = status === "failed" || status === "canceled" || message.held;
  return (
    <Pane
      label={`${method} ${url}`}
      title={
        <>
          <Method method={method} />
          <span className="line-clamp-6 min-w-0">{url}</span>
        </>
      }
      isSmall
      id={id}
      state={
        <>
          <MessageState message={message} />
          {/* "Retrying 503" says more than either. */}
          {response_status !== null && (
            <span className="font-mono tabular-nums">{response_status}</span>
          )}
          {fires === null ? (
            <span className="text-muted">
              <Time unix={message.delivered_at ?? message.updated_at} />
            </span>
          ) : (
            <span className="tabular-nums">
              {status === "scheduled" ? "Due " : "Retries "}
              <Time unix={fires} format="due" />
            </span>
          )}
          {message.external_id !== null && <ExternalId id={message.external_id} />}
          {message.held && (
            <span className="order-last mt-2 basis-full">
              Somebody changed this message, or what made it, without the claim token before your
              organization claimed it, so it is on hold. Check it, then send it or set a new time.
            </span>
          )}
        </>
      }
      closeHref={closeHref}
      form={form}
      primary={
        // Rendered even without a button, because it shows why the last action was refused.
        <ActionForm action={actOnMessage} fields={{ id }}>
          {canWrite && canRetry && (
            <Submit name="act" value="retry" successMessage="Due now">
              {message.held ? "Send now" : "Retry now"}
            </Submit>
          )}
        </ActionForm>
      }
      more={
        <>
          {/* Where "Retry now" never takes its place. */}
          <ActionForm action={actOnMessage} fields={{ id }}>
            {canWrite && canCancel && (
              <Submit name="act" value="cancel" className="button" successMessage="Canceled">
                Cancel sending
              </Submit>
            )}
          </ActionForm>
          {canWrite && status === "scheduled" && <EditLink href={editHref} />}
          <CopyButton text={requestCommand(message)}>Copy as curl</CopyButton>
          <CopyCall path={`messages/${id}`} of={message}>
            Copy API call
          </CopyCall>
          {canWrite && (
            <DeleteButton
              noun="message"
              consequence={
                fires === null
                  ? `Deletes the message and its ${counted(message.attempts, "attempt")}. This cannot be undone.`
                  : "The message will never be sent. This cannot be undone."
              }
              action={deleteMessage}
              fields={{ id, back: closeHref ?? "" }}
            />
          )}
        </>
      }
      tabs={form ? undefined : tabs}
    >
      {!form && chosen === "Journey" && (
        <>
          <Steps since={origin?.received_at ?? message.created_at}>
            <OriginStep origin={origin} />
            <MessageSteps message={message} attempts={attempts} />
          </Steps>
          <div className="mt-4">
            <Facts>
              {url.length > URL_IN_TITLE_MAX && (
                <Fact name="URL">
                  <span className="font-mono text-small wrap-anywhere">{url}</span>
                </Fact>
              )}
              {props.schedule}
              {message.organization_id === null && <PublicFact id={id} />}
            </Facts>
          </div>
        </>
      )}
      {!form && chosen === "Body" && (
        <BodyView
          body={{ body: message.body || null, body_encoding: message.body_encoding }}
          contentType={stored.contentType}
          contentEncoding={stored.contentEncoding}
          {...parts.body}
          href={`/messages/${id}/body`}
        />
      )}
      {!form && chosen === "Headers" && <HeaderTable label="Headers" entries={headers} />}
    </Pane>
  );
}

/** A command that sends the message's request, without the headers that a delivery adds. */
function requestCommand(message: Message): string {
  const { id, method, url, headers, body, body_encoding } = message;
  const fits = fitsInCommand(body, body_encoding);
  const read = `${callOf(`messages/${id}`, message)} | jq -j .body`;
  return curlOfRequest({
    method,
    url,
    headers: Object.entries(headers).filter(([, value]) => value !== REDACTED),
    body: fits ? body || null : null,
    ...(!fits && { bodyFrom: body_encoding === "base64" ? `${read} | base64 -d` : read }),
  });
}
