"use client";

import { useState } from "react";
import {
  isFinal,
  type MessageSnapshot,
  MessageState,
} from "@/app/(dashboard)/_shared/message-state";
import { usePoll } from "@/components/ui/use-poll";

/** A message's state and response as they change. */
export function LiveMessageState({ message }: { message: MessageSnapshot }) {
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
