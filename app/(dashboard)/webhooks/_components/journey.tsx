import { AutoRefresh } from "@/components/ui/auto-refresh";
import { Link } from "@/components/ui/link";
import { State, type Tone } from "@/components/ui/state";
import { Step, Steps } from "@/components/ui/steps";
import type { Caller } from "@/lib/platform/caller";
import { versionTag } from "@/lib/platform/http/conditional";
import type { Task } from "@/lib/resources/tasks/contract";
import { type Progress, progressOf } from "@/lib/resources/tasks/progress";
import { type FollowedEvent, follow, hasEnded } from "@/lib/resources/webhooks/events/follow";
import type { EventReplay } from "@/lib/resources/webhooks/replays/contract";
import { FollowedInbox } from "./followed-inbox";
import { FollowedMessage } from "./followed-message";
import { reasonText } from "./outcome";

type Captured = Pick<FollowedEvent["capture"], "id" | "endpoint_id">;

/** The life of a captured event, from its capture to its end, live until then. */
export async function Journey({ caller, event }: { caller: Caller; event: Captured }) {
  const followed = await follow(caller, event.endpoint_id, event.id);
  const { capture, inbox, inboxEnd, message, replays, tasks, artifacts } = followed;
  const { forward } = capture;
  const isOver = hasEnded(followed);
  const isLinked = tasks.length + artifacts.length > 0;
  return (
    <AutoRefresh
      href={isOver ? undefined : `/webhooks/${event.endpoint_id}/events/${event.id}/journey`}
      shown={versionTag(followed)}
    >
      <Steps since={capture.received_at}>
        <Step tone="ok" word="Captured" at={capture.received_at}>
          <p className="text-small text-muted">from {capture.source_ip ?? "an unknown address"}</p>
        </Step>
        <Verification capture={capture} />
        {/* The step into the inbox says so itself. */}
        {(inbox?.inbox !== "present" || forward?.reason) && <Forward forward={forward} />}
        {message !== null && <FollowedMessage message={message} />}
        {inbox !== null && (
          <FollowedInbox
            stage={inbox}
            end={inboxEnd}
            inboxId={forward?.inbox_id ?? ""}
            eventId={forward?.inbox_event_id ?? ""}
          />
        )}
        {replays.toReversed().map((replay) => (
          <FollowedReplay key={replay.id} replay={replay} />
        ))}
        {tasks.map((task) => (
          <FollowedTask key={task.id} task={task} />
        ))}
        {artifacts.map(({ id, name, created_at }) => (
          <Step
            key={id}
            tone="ok"
            word={
              <>
                Artifact{" "}
                <Link href={`/artifacts/${id}`} className="link wrap-anywhere">
                  {name}
                </Link>
              </>
            }
            at={created_at}
          />
        ))}
      </Steps>
      <p role="status" className="mt-4 text-small text-muted">
        {isOver ? "Nothing more will happen on its own." : "Updates automatically."}
      </p>
      {capture.organization_id !== null && !isLinked && (
        <p className="text-small text-muted">
          A task or an artifact appears here if its external ID is the event’s ID
          {forward?.inbox_event_id ? " in the endpoint or in the inbox" : ""}.
        </p>
      )}
    </AutoRefresh>
  );
}

function Verification({ capture }: Pick<FollowedEvent, "capture">) {
  const { verified, verification_reason } = capture;
  if (verified === null) return null;
  return verified ? (
    <Step tone="ok" word="Verified" at={null} />
  ) : (
    <Step tone="failed" word={`Not verified: ${reasonText(verification_reason)}`} at={null} />
  );
}

function Forward({ forward }: Pick<FollowedEvent["capture"], "forward">) {
  if (forward === null) {
    return (
      <Step tone="quiet" word="Not forwarded" at={null}>
        <p className="text-small text-muted">
          The endpoint had no forward, so the event stays here.
        </p>
      </Step>
    );
  }
  const { status, reason, message_id } = forward;
  const reasons = reason === null ? "" : `: ${reasonText(reason)}`;
  if (status !== "forwarded") {
    return <Step tone={TONES[status]} word={`${WORDS[status]}${reasons}`} at={null} />;
  }
  return (
    <Step
      // The message below says whether it arrived.
      tone={message_id === null ? "ok" : "quiet"}
      word={message_id === null ? "Forwarded to an inbox" : "Forwarded as a message"}
      at={null}
    >
      {reason !== null && (
        <p className="text-small text-muted">
          A duplicate of an event that was already waiting there; nothing was added.
        </p>
      )}
    </Step>
  );
}

function FollowedReplay({ replay }: { replay: EventReplay }) {
  const { id, url, status, created_at, response_status, next_attempt_at, error } = replay;
  const state = next_attempt_at === null ? status : "retrying";
  return (
    <Step tone={REPLAY_TONES[state]} word={`Replayed: ${state}`} at={created_at}>
      <p className="flex flex-wrap gap-x-3 text-small text-muted">
        {response_status !== null && <span className="text-ink">{response_status}</span>}
        <Link href={`/messages/${id}`} className="link wrap-anywhere">
          {url}
        </Link>
        {error !== null && <span className="wrap-anywhere text-failed">{error}</span>}
      </p>
    </Step>
  );
}

/** A task that names an event. */
function FollowedTask({ task }: { task: Task }) {
  const { word, tone } = PROGRESS[progressOf(task)];
  return (
    <Step
      tone={tone}
      word={
        <>
          Task{" "}
          <Link href={`/tasks/${task.id}`} className="link wrap-anywhere">
            {task.name}
          </Link>
        </>
      }
      at={task.created_at}
    >
      <State word={word} tone={tone} />
    </Step>
  );
}

const PROGRESS: Record<Progress, { word: string; tone: Tone }> = {
  todo: { word: "to do", tone: "quiet" },
  "in-progress": { word: "in progress", tone: "waiting" },
  done: { word: "done", tone: "ok" },
};
const REPLAY_TONES = {
  scheduled: "waiting",
  delivering: "waiting",
  retrying: "waiting",
  delivered: "ok",
  failed: "failed",
  canceled: "quiet",
} as const;
const TONES = { held: "waiting", skipped: "quiet", failed: "failed" } as const;
const WORDS = { held: "Held back", skipped: "Not forwarded", failed: "Not forwarded" };
