import { State, type Tone } from "@/components/ui/state";
import type { Message } from "@/lib/resources/messages/contract";

export const MESSAGE_TONES: Record<Message["status"], Tone> = {
  scheduled: "quiet",
  delivering: "waiting",
  delivered: "ok",
  failed: "failed",
  canceled: "quiet",
};

/** A line that changes with what delivery changes in a message. */
export function snapshotOf(message: Message): string {
  const { id, status, scheduled_at, held, next_attempt_at, updated_at } = message;
  const { response_status, last_error } = message;
  const times = [scheduled_at, held, next_attempt_at, updated_at];
  return JSON.stringify([id, status, ...times, response_status, last_error]);
}

/** A message's state. "Retrying" replaces "failed" while another attempt is due, and "held" "scheduled". */
export function MessageState({ message }: { message: Message }) {
  if (message.held) return <State word="held" tone="waiting" />;
  if (message.next_attempt_at !== null) return <State word="retrying" tone="waiting" />;
  return <State word={message.status} tone={MESSAGE_TONES[message.status]} />;
}

/** Whether no delivery will change the message again. */
export function isFinal(message: Message): boolean {
  return message.status !== "delivering" && nextAttemptAt(message) === null;
}

/** When the next attempt is due; null if there is none. */
export function nextAttemptAt(message: Message): number | null {
  const { status, scheduled_at, held, next_attempt_at } = message;
  if (held) return null;
  return status === "scheduled" ? scheduled_at : next_attempt_at;
}
