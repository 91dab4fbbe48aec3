import { State, type Tone } from "@/components/ui/state";
import type { Message } from "@/lib/messages/contract";

const TONES: Record<Message["status"], Tone> = {
  scheduled: "quiet",
  delivering: "waiting",
  delivered: "ok",
  failed: "failed",
  canceled: "quiet",
};

/** A message's state; one that failed and is tried again waits. */
export function MessageState({ message }: { message: Message }) {
  if (message.status === "failed" && message.next_attempt_at !== null) {
    return <State word="will retry" tone="waiting" />;
  }
  return <State word={message.status} tone={TONES[message.status]} />;
}
