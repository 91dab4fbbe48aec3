import { ActionForm, Submit } from "@/components/ui/action-form";
import { Confirm } from "@/components/ui/confirm";
import { Time } from "@/components/ui/time";
import type { SessionSummary } from "@/lib/identity/sessions/sessions";
import { endEverySession, endOneSession } from "../actions";
import { deviceName } from "./device-name";

interface Props {
  sessions: SessionSummary[];
  /** The session of this browser. */
  hereId: string;
}

/** The browsers in which the person is signed in. */
export function Sessions({ sessions, hereId }: Props) {
  return (
    <div>
      <ul>
        {sessions.map(({ id, created_at, last_seen_at, user_agent }) => (
          <li
            key={id}
            className="flex flex-wrap items-center gap-x-3 border-b border-line px-4 py-2 sm:px-6"
          >
            <span className="min-w-0 flex-1 basis-48 wrap-anywhere" title={user_agent ?? undefined}>
              <bdi>{deviceName(user_agent)}</bdi>
              {id === hereId && <span className="text-muted"> (this one)</span>}
              <span className="text-muted">
                , signed in <Time unix={created_at} />
              </span>
            </span>
            <span className="text-small text-muted">
              last seen <Time unix={last_seen_at} />
            </span>
            {id !== hereId && (
              <ActionForm action={endOneSession} fields={{ id }}>
                <Submit className="button-text text-failed">End session</Submit>
              </ActionForm>
            )}
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap items-center justify-between gap-3 px-4 py-4 sm:px-6">
        <p className="text-muted">
          A browser stays signed in for a week after its last visit, 30 days at most.
        </p>
        <Confirm
          label="End all sessions"
          title="End all your sessions?"
          consequence="Signs you out in every browser, including this one. API keys keep working."
          confirm="End all sessions"
          action={endEverySession}
        />
      </div>
    </div>
  );
}
