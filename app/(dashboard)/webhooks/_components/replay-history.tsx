import { MESSAGE_TONES } from "@/app/(dashboard)/_shared/message-state";
import { Link } from "@/components/ui/link";
import { State } from "@/components/ui/state";
import { Time } from "@/components/ui/time";
import type { List } from "@/lib/platform/lists/list";
import type { EventReplay } from "@/lib/resources/webhooks/replays/contract";

/** An event's replays, newest first, each with its response; the newest is open. */
export function ReplayHistory({ history }: { history: List<EventReplay> }) {
  const { data, has_more } = history;
  if (data.length === 0) return null;
  return (
    <>
      <ol aria-label="Replays" className="border-y border-line">
        {data.map((replay, index) => (
          <li key={replay.id} className="not-first:border-t not-first:border-line">
            <ReplayRow replay={replay} isFirst={index === 0} />
          </li>
        ))}
      </ol>
      {has_more && (
        <p className="mt-2 text-small text-muted">These are the newest {data.length} replays.</p>
      )}
    </>
  );
}

function ReplayRow({ replay, isFirst }: { replay: EventReplay; isFirst: boolean }) {
  const { id, url, status, response_status, next_attempt_at, created_at } = replay;
  const isRetrying = next_attempt_at !== null;
  return (
    <details open={isFirst} className="group">
      <summary className="flex min-h-9 cursor-pointer flex-wrap items-center gap-x-3 py-1.5 text-small">
        <span aria-hidden="true" className="text-muted group-open:rotate-90">
          ▸
        </span>
        <State
          word={isRetrying ? "retrying" : status}
          tone={isRetrying ? "waiting" : MESSAGE_TONES[status]}
        />
        {response_status !== null && (
          <span className="font-mono tabular-nums">{response_status}</span>
        )}
        <span className="min-w-0 flex-1 basis-40 truncate font-mono" title={url}>
          {url}
        </span>
        <Time unix={created_at} className="text-muted tabular-nums" />
      </summary>
      <div className="pb-3">
        <p className="mb-2 flex flex-wrap gap-x-3 text-small text-muted">
          <span className="wrap-anywhere">
            {replay.method} {url}
          </span>
          {replay.duration_ms !== null && (
            <span className="tabular-nums">{replay.duration_ms.toLocaleString("en")} ms</span>
          )}
          {replay.attempts > 1 && <span>{replay.attempts} attempts</span>}
          {isRetrying && (
            <span>
              next attempt <Time unix={next_attempt_at} format="countdown" />
            </span>
          )}
          <Link href={`/messages/${id}`} className="link font-mono">
            {id}
          </Link>
        </p>
        <ReplayResponse replay={replay} />
      </div>
    </details>
  );
}

function ReplayResponse({
  replay: { status, response_status, response_body, error },
}: {
  replay: EventReplay;
}) {
  return (
    <>
      {error !== null && <p className="mb-2 text-small text-failed wrap-anywhere">{error}</p>}
      {response_body ? (
        <section aria-label="Response">
          {/* Not formatted, since every visitor of the page would load the scripts for that. */}
          <pre className="max-h-80 overflow-y-auto rounded-md border border-line bg-surface p-3 font-mono text-small whitespace-pre-wrap wrap-anywhere">
            {response_body}
          </pre>
        </section>
      ) : (
        <p className="text-small text-muted">
          {response_body === ""
            ? "The response has no body."
            : response_status !== null
              ? "The body of the response was not kept."
              : status === "scheduled" || status === "delivering"
                ? "No response yet."
                : "No response."}
        </p>
      )}
    </>
  );
}
