import { RowLink } from "@/components/ui/row-link";
import { State } from "@/components/ui/state";
import { Time } from "@/components/ui/time";
import type { Overview } from "@/lib/resources/overview/service";
import { type Issue, issuesOf } from "./issues";

/** More are folded, so that the page stays one screen. Questions stand above them. */
const SHOWN_MAX = 3;
const SHOWN_BELOW_QUESTIONS = 2;

/** One sentence that says whether all is well, and what needs a person, grouped by cause. */
export function NeedsAttention({ overview, mayAct }: { overview: Overview; mayAct: boolean }) {
  const { issues, isCut } = issuesOf(overview, mayAct);
  const { lastFailure, questions } = overview;
  const most = questions.length > 1 ? SHOWN_BELOW_QUESTIONS : SHOWN_MAX;
  return (
    <section aria-labelledby="attention" className="border-b border-line">
      <h2 id="attention" className="px-4 py-2 text-lead font-semibold sm:px-6">
        {issues.length === 0
          ? "All is well"
          : issues.length === 1
            ? "1 thing needs you"
            : `${issues.length}${isCut ? " or more" : ""} things need you`}
        {issues.length === 0 && (
          <span className="ml-2 text-base font-normal text-muted">
            {lastFailure === null ? (
              "No message has failed."
            ) : (
              <>
                The last message failed <Time unix={lastFailure} />
              </>
            )}
          </span>
        )}
      </h2>
      {issues.length > 0 && <Rows issues={issues.slice(0, most)} />}
      {issues.length > most && (
        <details>
          <summary className="cursor-pointer border-t border-line px-4 py-1.5 text-small text-muted hover:text-ink sm:px-6">
            {`${issues.length - most}${isCut ? " or more" : " more"}`}
          </summary>
          <Rows issues={issues.slice(most)} />
        </details>
      )}
    </section>
  );
}

function Rows({ issues }: { issues: Issue[] }) {
  return (
    <ul className="border-t border-line *:last:border-b-0">
      {issues.map((issue) => (
        <Row key={`${issue.word} ${issue.href}`} issue={issue} />
      ))}
    </ul>
  );
}

function Row({ issue: { tone, word, href, text, detail, since, action } }: { issue: Issue }) {
  return (
    <li className="relative flex min-h-10 items-center gap-x-3 border-b border-line px-4 py-1 hover:bg-surface max-sm:flex-wrap max-sm:py-2 sm:px-6">
      <span className="w-32 shrink-0">
        <State word={word} tone={tone} />
      </span>
      <RowLink
        href={href}
        className="flex min-w-0 flex-1 gap-x-2 max-sm:order-1 max-sm:basis-full max-sm:flex-wrap"
      >
        <span className="max-w-full min-w-0 shrink-0 truncate sm:max-w-1/2">{text}</span>{" "}
        <span className="min-w-0 truncate text-muted">{detail}</span>
      </RowLink>
      {action && <div className="relative z-1 shrink-0 max-sm:order-2 max-sm:mt-1">{action}</div>}
      {since != null && (
        <span className="shrink-0 text-small text-muted tabular-nums max-sm:ml-auto">
          <Time unix={since} />
        </span>
      )}
    </li>
  );
}
