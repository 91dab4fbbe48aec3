import { ColouredText } from "@/components/bodies/coloured-text";
import { layOutJson } from "@/components/bodies/json-value";
import { HeaderTable } from "@/components/ui/header-table";
import { Step } from "@/components/ui/steps";
import { counted } from "@/lib/platform/counted";
import type { List } from "@/lib/platform/lists/list";
import type { Message, MessageAttempt } from "@/lib/resources/messages/contract";

/** The limit for all attempts of a message together, so that no target makes a page long. */
const HEADERS_SHOWN = 500;
const CHARACTERS_SHOWN = 100_000;

/** A message's past and future steps in chronological order, for `Steps`. */
export function MessageSteps({
  message,
  attempts,
}: {
  message: Message;
  attempts: List<MessageAttempt>;
}) {
  const { scheduled_at, status, created_at: created, updated_at: updated } = message;
  const earlier = (attempts.total_count ?? 0) - attempts.data.length;
  // A message scheduled in the past is due when it is created.
  const due = Math.max(scheduled_at, created);
  // A manual retry makes a message due again, after its earlier attempts.
  const before = attempts.data.filter(({ started_at }) => started_at < due).toReversed();
  const since = attempts.data.filter(({ started_at }) => started_at >= due).toReversed();
  const isRetried = before.length > 0 || earlier > 0;
  const share = 1 / Math.max(attempts.data.length, 5);
  const wasToFire = status === "canceled" && due > updated;
  return (
    <>
      <Step tone="quiet" word="Created" at={created} />
      {earlier > 0 && <Step tone="quiet" word={counted(earlier, "earlier attempt")} at={null} />}
      {before.map((attempt) => (
        <Attempt key={attempt.id} attempt={attempt} share={share} />
      ))}
      {(status !== "scheduled" || since.length > 0) && !wasToFire && (
        <Step tone="quiet" word={isRetried ? "Due again" : "Due"} at={due} />
      )}
      {since.map((attempt) => (
        <Attempt key={attempt.id} attempt={attempt} share={share} />
      ))}
      <Next message={message} />
      {wasToFire && <Step tone="quiet" word="Would have been due" at={due} />}
    </>
  );
}

function Next({ message }: { message: Message }) {
  const { status, attempts, held, scheduled_at, next_attempt_at, updated_at } = message;
  if (held) return <Step tone="waiting" word="Held" at={null} />;
  if (status === "scheduled")
    return <Step tone="waiting" word="Due" at={scheduled_at} words="due" />;
  if (status === "delivering") {
    return <Step tone="waiting" word={`Attempt ${attempts}, in progress`} at={updated_at} />;
  }
  if (status === "canceled") return <Step tone="quiet" word="Canceled" at={updated_at} />;
  if (next_attempt_at === null) return null;
  return <Step tone="waiting" word={`Attempt ${attempts + 1}`} at={next_attempt_at} words="due" />;
}

/** `share`: how many headers this attempt may show. */
function Attempt({ attempt, share }: { attempt: MessageAttempt; share: number }) {
  const { duration_ms, response_status, response_headers, response_body, error } = attempt;
  const word = `Attempt ${attempt.attempt}`;
  const headers = Object.entries(response_headers ?? {});
  const entries = headers.slice(0, Math.floor(HEADERS_SHOWN * share));
  return (
    <Step tone={error === null ? "ok" : "failed"} word={word} at={attempt.started_at}>
      <p className="flex flex-wrap gap-x-3 text-small text-muted tabular-nums">
        {response_status !== null && (
          <span className={error === null ? "text-ink" : "text-failed"}>{response_status}</span>
        )}
        {duration_ms !== null && <span>{duration_ms.toLocaleString("en")} ms</span>}
        {error !== null && error !== `http_${response_status}` && (
          <span className="wrap-anywhere text-failed">{error}</span>
        )}
      </p>
      {(entries.length > 0 || response_body) && (
        <details className="mt-1">
          <summary className="cursor-pointer text-small text-muted hover:text-ink">
            Response
          </summary>
          <div className="mt-2 grid gap-3">
            <HeaderTable
              label={`Response headers of ${word}`}
              entries={entries}
              isCut={entries.length < headers.length || attempt.response_headers_truncated}
            />
            {response_body && (
              <ResponseBody
                label={`Response body of ${word}`}
                charactersMax={Math.floor(CHARACTERS_SHOWN * share)}
              >
                {response_body}
              </ResponseBody>
            )}
          </div>
        </details>
      )}
    </Step>
  );
}

interface Props {
  label: string;
  /** Formatted JSON is cut after this many characters. */
  charactersMax: number;
  children: string;
}

/** The stored beginning of a response: formatted if it is JSON, otherwise unchanged. */
function ResponseBody({ label, charactersMax, children }: Props) {
  const json = /^\s*[{[]/.test(children) ? layOutJson(children, charactersMax) : undefined;
  const isJson = json !== undefined && json.end !== "invalid";
  const language = isJson ? "json" : /^\s*</.test(children) ? "html" : undefined;
  return (
    <ColouredText label={label} language={language}>
      {isJson ? json.text : children}
    </ColouredText>
  );
}
