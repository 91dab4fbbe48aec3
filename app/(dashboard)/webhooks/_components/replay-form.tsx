"use client";

import Link from "next/link";
import { useEffect, useState } from "react";
import {
  isFinal,
  type MessageSnapshot,
  MessageState,
} from "@/app/(dashboard)/_shared/message-state";
import { ActionForm, type FormAction, Submit } from "@/components/ui/action-form";
import { Field } from "@/components/ui/field";
import { FormId } from "@/components/ui/form-id";
import { usePoll } from "@/components/ui/use-poll";

/** A press this soon after a replay counts as a double press. */
const DOUBLE_PRESS_MS = 1000;

/** A replay's target, and the message that delivers it. */
export interface Replayed {
  url: string;
  carrier: MessageSnapshot;
}

interface Props {
  action: FormAction<Replayed>;
  endpointId: string;
  eventId: string;
  /** Idempotency key of the form. */
  formId: string;
}

/** Replays a captured request and shows the result below. */
export function ReplayForm({ action, endpointId, eventId, formId }: Props) {
  return (
    <ActionForm action={action} className="flex flex-wrap items-end gap-2">
      {(replayed) => (
        <>
          <ReplayId id={formId} after={replayed?.carrier.id} />
          <input type="hidden" name="id" value={endpointId} />
          <input type="hidden" name="event" value={eventId} />
          <Field label="Send it again, byte for byte, to" className="min-w-0 flex-1 basis-60">
            {(fieldId) => (
              <input
                id={fieldId}
                name="url"
                type="url"
                required
                placeholder="https://example.com/hooks"
                className="field"
              />
            )}
          </Field>
          <Submit className="button">Replay</Submit>
          <p role="status" aria-label="Replay" className="basis-full text-muted wrap-anywhere">
            {replayed && <Result key={replayed.carrier.id} {...replayed} />}
          </p>
        </>
      )}
    </ActionForm>
  );
}

function Result({ url, carrier }: Replayed) {
  return (
    <>
      Replayed to {url}:{" "}
      <Link href={`/messages/${carrier.id}`} prefetch={false} className="link font-mono text-small">
        {carrier.id}
      </Link>{" "}
      <LiveMessageState message={carrier} />
    </>
  );
}

/** A message's state and response as they change. */
function LiveMessageState({ message }: { message: MessageSnapshot }) {
  const [now, setNow] = useState(message);
  usePoll(isFinal(now) ? undefined : `/messages/${message.id}/live`, (text) => {
    if (text !== null) setNow(JSON.parse(text));
  });
  const { response_status, last_error } = now;
  return (
    <>
      <MessageState message={now} />
      {response_status !== null && `, answered ${response_status}`}
      {response_status === null && last_error !== null && `, ${last_error}`}
    </>
  );
}

/** A new idempotency key after each replay. */
function ReplayId({ id, after }: { id: string; after: string | undefined }) {
  const [shown, setShown] = useState(id);
  useEffect(() => {
    const timer = setTimeout(() => setShown(`${id} ${after ?? ""}`), after ? DOUBLE_PRESS_MS : 0);
    return () => clearTimeout(timer);
  }, [id, after]);
  return <FormId id={shown} />;
}
