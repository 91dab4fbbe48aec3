"use client";

import { useEffect, useState } from "react";
import {
  type MessageSnapshot,
  MessageState,
  nextChangeAt,
} from "@/app/(dashboard)/_shared/message-state";

const FIRST_PAUSE_MS = 500;
/** Each pause is longer than the last: about forty polls in an hour. */
const GROWTH = 1.25;
const LONGEST_PAUSE_MS = 3_600_000;

/** A message's state and response as they change. Does not poll while the tab is hidden. */
export function LiveMessageState({ message }: { message: MessageSnapshot }) {
  const [now, setNow] = useState(message);
  useEffect(() => poll(message, setNow), [message]);
  const { response_status, last_error } = now;
  return (
    <>
      <MessageState message={now} />
      {response_status !== null && `, answered ${response_status}`}
      {response_status === null && last_error !== null && `, ${last_error}`}
    </>
  );
}

/** Polls until the message is final. Returns the function that stops it. */
function poll(message: MessageSnapshot, tell: (now: MessageSnapshot) => void): () => void {
  const ended = new AbortController();
  const { signal } = ended;
  let timer: ReturnType<typeof setTimeout>;
  let pause = FIRST_PAUSE_MS;
  let isOver = nextChangeAt(message) === null;
  const sleep = () => {
    if (isOver || signal.aborted) return;
    timer = setTimeout(look, pause);
    pause = Math.min(pause * GROWTH, LONGEST_PAUSE_MS);
  };
  const look = async () => {
    if (document.visibilityState === "visible") {
      const now = await read(message.id, signal);
      if (signal.aborted || now === null) return;
      if (now) {
        isOver = nextChangeAt(now) === null;
        tell(now);
      }
    }
    sleep();
  };
  sleep();
  return () => {
    ended.abort();
    clearTimeout(timer);
  };
}

/** undefined: the request failed; null: the message was deleted. */
async function read(id: string, signal: AbortSignal): Promise<MessageSnapshot | null | undefined> {
  try {
    const answer = await fetch(`/messages/${id}/state`, { signal });
    if (answer.status === 404) return null;
    return answer.ok ? await answer.json() : undefined;
  } catch {
    return undefined;
  }
}
