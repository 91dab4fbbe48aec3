import type { ReactNode } from "react";
import { CodeBlock } from "@/components/ui/code-block";
import { HeaderTable } from "@/components/ui/header-table";
import { State, type Tone } from "@/components/ui/state";
import { Time } from "@/components/ui/time";
import type { List } from "@/lib/http/list";
import type { Message, MessageAttempt } from "@/lib/messages/contract";

/** What happened to a message and what will, in order. */
export function Timeline({
  message,
  attempts,
}: {
  message: Message;
  attempts: List<MessageAttempt>;
}) {
  const { status, created_at, scheduled_at, next_attempt_at } = message;
  const earlier = (attempts.total_count ?? 0) - attempts.data.length;
  const isDue = status === "scheduled";
  return (
    <ol className="ml-1 border-l border-line">
      <Step tone="quiet" word="Created" at={created_at} />
      {!isDue && <Step tone="quiet" word="Due" at={scheduled_at} />}
      {earlier > 0 && <Step tone="quiet" word={`${earlier} earlier attempts`} at={null} />}
      {attempts.data.toReversed().map((attempt) => (
        <Attempt key={attempt.id} attempt={attempt} />
      ))}
      {isDue && <Step tone="waiting" word="Fires" at={scheduled_at} />}
      {status === "delivering" && <Step tone="waiting" word="Being delivered now" at={null} />}
      {next_attempt_at !== null && (
        <Step tone="waiting" word={`Attempt ${message.attempts + 1}`} at={next_attempt_at} />
      )}
      {status === "canceled" && <Step tone="quiet" word="Canceled" at={message.updated_at} />}
    </ol>
  );
}

function Attempt({ attempt }: { attempt: MessageAttempt }) {
  const { duration_ms, response_status, response_headers, response_body, error } = attempt;
  const isOver = duration_ms !== null;
  const tone = !isOver ? "waiting" : error === null ? "ok" : "failed";
  const word = `Attempt ${attempt.attempt}`;
  const entries = Object.entries(response_headers ?? {});
  return (
    <Step tone={tone} word={word} at={attempt.started_at}>
      <p className="flex flex-wrap gap-x-3 text-small text-muted tabular-nums">
        {response_status !== null && <span className="text-ink">{response_status}</span>}
        {isOver ? <span>{duration_ms} ms</span> : <span>under way, or its process ended</span>}
        {error !== null && <span className="wrap-anywhere text-failed">{error}</span>}
      </p>
      {(entries.length > 0 || response_body) && (
        <details className="mt-1">
          <summary className="cursor-pointer text-small text-muted hover:text-ink">
            The answer
          </summary>
          <div className="mt-2 grid gap-3">
            <HeaderTable label={`Headers of the answer to ${word}`} entries={entries} />
            {response_body && (
              <CodeBlock label={`Body of the answer to ${word}`}>{response_body}</CodeBlock>
            )}
          </div>
        </details>
      )}
    </Step>
  );
}

function Step(props: { tone: Tone; word: string; at: number | null; children?: ReactNode }) {
  return (
    <li className="relative pb-3 pl-5 last:pb-0">
      <span className="absolute -left-1 bg-canvas [&>span]:gap-0 [&>span]:text-[0px]">
        <State word="" tone={props.tone} />
      </span>
      <p className="flex flex-wrap items-baseline gap-x-3">
        <span>{props.word}</span>
        {props.at !== null && (
          <span className="text-small text-muted tabular-nums">
            <Time unix={props.at} />
          </span>
        )}
      </p>
      {props.children}
    </li>
  );
}
