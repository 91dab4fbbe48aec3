import type { ReactNode } from "react";
import { DocumentFrame } from "@/components/ui/document-frame";
import { Time } from "@/components/ui/time";
import type { Question } from "@/lib/resources/questions/contract";
import type { About } from "@/lib/resources/questions/documents";
import { formWords } from "./form-values";

interface Props {
  question: Question;
  about: About;
  /** The name of the organization whose agent asks; null if there is none to show. */
  asker: string | null;
  /** How an answer names the person who gave it, if they are known. */
  answeredBy?: string | undefined;
  /** The page's title is the whole prompt. */
  isTitled?: boolean;
  /** The page has the time and the task among its facts. */
  hasFacts?: boolean;
}

/** A question in its asker's words, and what has become of it. */
export function QuestionWords(props: Props) {
  const { question, about, asker, answeredBy, isTitled = false, hasFacts = false } = props;
  const { created_at, prompt } = question;
  return (
    <>
      {!isTitled && (
        <>
          <p className="text-muted">
            {asker === null ? (
              withoutName(question)
            ) : (
              <>
                An agent of <bdi className="wrap-anywhere">{asker}</bdi>
              </>
            )}{" "}
            asks, in its own words:
          </p>
          <blockquote
            dir="auto"
            className="mt-2 border-s-2 border-line-strong ps-3 whitespace-pre-wrap wrap-anywhere"
          >
            {prompt}
          </blockquote>
        </>
      )}
      {!hasFacts && (
        <p className="mt-2 text-small text-muted">
          Asked <Time unix={created_at} />
        </p>
      )}
      {!hasFacts && about.task && (
        <p className="mt-2 text-small text-muted wrap-anywhere">
          About the task <bdi>{about.task.name}</bdi>
        </p>
      )}
      {about.documents.map(({ title, format, path }) => (
        <figure key={path} className="mt-4">
          <figcaption className="mb-1 text-small text-muted wrap-anywhere">
            <bdi>{title}</bdi>
          </figcaption>
          <div className="rounded-md border border-line">
            <DocumentFrame src={path} title={title} format={format} className="h-64" />
          </div>
        </figure>
      ))}
      <p className="mt-4">{outcomeOf(question, answeredBy)}</p>
    </>
  );
}

/** Says whether the agent that asks has an account. */
function withoutName({ organization_id }: Question): string {
  return organization_id === null ? "An agent without an account" : "An agent with an account";
}

function outcomeOf(question: Question, answeredBy: string | undefined): ReactNode {
  const { state, kind, on_expiry, expires_at, answered_at, answered_by } = question;
  if (state === "open") {
    return (
      <span className="text-muted">
        {kind === "approve" && on_expiry === "deny"
          ? "Without an answer it counts as denied"
          : "Without an answer it expires"}{" "}
        <Time unix={expires_at} />
      </span>
    );
  }
  if (state === "withdrawn") return "The agent has withdrawn it. No answer is needed.";
  if (state === "expired") {
    return question.answer === null
      ? "It has expired without an answer."
      : "It has expired without an answer, so it counts as denied.";
  }
  const person = answered_by === "link" ? "somebody with the link" : "a signed-in person";
  return (
    <>
      Answered by {answeredBy ?? person}:{" "}
      <strong dir="auto" className="wrap-anywhere whitespace-pre-wrap">
        {answerWords(question)}
      </strong>{" "}
      <Time unix={answered_at} className="text-muted" />
    </>
  );
}

/** The answer as people read it. */
export function answerWords({ kind, answer, options, form }: Question): string {
  if (kind === "approve") return answer === "approve" ? "Approved" : "Denied";
  if (typeof answer === "object") return form && answer ? formWords(form, answer) : "";
  return options?.find(({ id }) => id === answer)?.label ?? answer;
}
