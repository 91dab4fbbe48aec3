import { State, type Tone } from "@/components/ui/state";
import type { Message } from "@/lib/resources/messages/contract";

const TONES: Record<Message["status"], Tone> = {
  scheduled: "quiet",
  delivering: "waiting",
  delivered: "ok",
  failed: "failed",
  canceled: "quiet",
};

/** The part of a message that delivery changes. */
export type MessageSnapshot = Pick<
  Message,
  | "id"
  | "status"
  | "scheduled_at"
  | "held"
  | "next_attempt_at"
  | "updated_at"
  | "response_status"
  | "last_error"
>;

/** A message reduced to that part. */
export function snapshotOf(message: Message): MessageSnapshot {
  const { id, status, scheduled_at, held, next_attempt_at, updated_at } = message;
  const { response_status, last_error } = message;
  return {
    id,
    status,
    scheduled_at,
    held,
    next_attempt_at,
    updated_at,
    response_status,
    last_error,
  };
}

/** A message's state. "Retrying" replaces "failed" while another attempt is due, and "held" "scheduled". */
export function MessageState({ message }: { message: MessageSnapshot }) {
  if (message.held) return <State word="held" tone="waiting" />;
  if (message.next_attempt_at !== null) return <State word="retrying" tone="waiting" />;
  return <State word={message.status} tone={TONES[message.status]} />;
}

/** Whether no delivery will change the message any more. */
export function isFinal(message: MessageSnapshot): boolean {
  return message.status !== "delivering" && nextAttemptAt(message) === null;
}

/** When the next attempt is due; null if there is none. */
export function nextAttemptAt({
  status,
  scheduled_at,
  held,
  next_attempt_at,
}: MessageSnapshot): number | null {
  if (held) return null;
  return status === "scheduled" ? scheduled_at : next_attempt_at;
}
