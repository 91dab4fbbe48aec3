import type { Message } from "@/lib/messages/contract";

/** Changes with each step that delivery takes with a message. */
export function liveTag({ status, attempts, updated_at }: Message): string {
  return `${status} ${attempts} ${updated_at}`;
}
