import type { ReactNode } from "react";
import { CodeBlock } from "@/components/ui/code-block";
import type { Tone } from "@/components/ui/state";
import { Time } from "@/components/ui/time";
import type { Message, MessageAttempt } from "@/lib/messages/contract";

/** What happened to a message and what happens next, in the order of time. */
export function Timeline({ message, attempts }: { message: Message; attempts: MessageAttempt[] }) {
  const { created_at, scheduled_at, next_attempt_at, status } = message;
  return (
    <ol className="relative grid gap-4 before:absolute before:top-2 before:bottom-2 before:left-1 before:w-px before:bg-line">
      <Moment tone="quiet" title="Created" unix={created_at} />
      {[...attempts].reverse().map((attempt) => (
        <Attempt key={attempt.id} attempt={attempt} />
      ))}
      {status === "scheduled" && <Moment tone="waiting" title="Fires" unix={scheduled_at} />}
      {status === "delivering" && <Moment tone="waiting" title="Under way" unix={null} />}
      {next_attempt_at !== null && (
        <Moment tone="waiting" title={`Try ${message.attempts + 1}`} unix={next_attempt_at} />
      )}
      {status === "canceled" && <Moment tone="quiet" title="Canceled" unix={message.updated_at} />}
    </ol>
  );
}

function Attempt({ attempt }: { attempt: MessageAttempt }) {
  const { error, response_status, duration_ms, response_headers, response_body } = attempt;
  const failed = error !== null;
  return (
    <Moment
      tone={failed ? "failed" : "ok"}
      title={`Try ${attempt.attempt}: ${failed ? "failed" : "taken"}`}
      unix={attempt.started_at}
    >
      <p className="text-small text-muted">
        {[
          response_status === null ? "no answer" : `status ${response_status}`,
          duration_ms === null ? "interrupted" : `${duration_ms} ms`,
        ].join(", ")}
      </p>
      {error && <p className="wrap-anywhere text-failed">{error}</p>}
      {response_headers && Object.keys(response_headers).length > 0 && (
        <details className="mt-1">
          <summary className="cursor-pointer text-small text-muted">Response headers</summary>
          <CodeBlock label={`Response headers of try ${attempt.attempt}`}>
            {Object.entries(response_headers)
              .map(([name, value]) => `${name}: ${value}`)
              .join("\n")}
          </CodeBlock>
        </details>
      )}
      {response_body && (
        <details className="mt-1">
          <summary className="cursor-pointer text-small text-muted">Response body</summary>
          <CodeBlock label={`Response body of try ${attempt.attempt}`}>{response_body}</CodeBlock>
        </details>
      )}
    </Moment>
  );
}

const COLOURS: Record<Tone, string> = {
  ok: "bg-ok",
  waiting: "bg-waiting",
  failed: "bg-failed",
  quiet: "bg-line-strong",
};

function Moment(props: { tone: Tone; title: string; unix: number | null; children?: ReactNode }) {
  return (
    <li className="relative pl-6">
      <span
        aria-hidden="true"
        className={`absolute top-1.75 left-0 size-2.25 rounded-full ring-3 ring-canvas ${COLOURS[props.tone]}`}
      />
      <p className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="font-medium">{props.title}</span>
        <span className="text-small text-muted tabular-nums">
          {props.unix !== null && <Time unix={props.unix} />}
        </span>
      </p>
      {props.children}
    </li>
  );
}
