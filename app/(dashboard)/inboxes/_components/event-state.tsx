import { State, type Tone } from "@/components/ui/state";
import type { EventState } from "@/lib/resources/inboxes/events/contract";

const TONES: Record<EventState, Tone> = {
  ready: "quiet",
  delayed: "quiet",
  leased: "waiting",
  dead: "failed",
};

export function InboxEventState({ state }: { state: EventState }) {
  return <State word={state} tone={TONES[state]} />;
}
