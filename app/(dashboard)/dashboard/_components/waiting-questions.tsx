import { choicesOf } from "@/app/_shared/answer-fields";
import { titleOf } from "@/app/_shared/resources";
import { ActionForm, Submit } from "@/components/ui/action-form";
import { Link } from "@/components/ui/link";
import { RowLink } from "@/components/ui/row-link";
import { Time } from "@/components/ui/time";
import type { Question } from "@/lib/resources/questions/contract";
import { OPEN_COUNTED_MAX } from "@/lib/resources/questions/service";
import { stableTag } from "@/lib/resources/version";
import { answerQuestion } from "../../questions/actions";

/** A longer question is answered on its page, which shows all of it. */
const PROMPT_CHARACTERS_MAX = 80;
const CHOICES_MAX = 4;
const LABELS_CHARACTERS_MAX = 40;

/** The questions that wait for a person, with buttons for those that a row shows in full. */
export function WaitingQuestions(props: {
  questions: Question[];
  /** How many wait. */
  count: number;
  mayAnswer: boolean;
}) {
  const { questions, count, mayAnswer } = props;
  if (questions.length === 0) return null;
  return (
    <section aria-labelledby="waiting" className="border-b border-line">
      <h2 id="waiting" className="px-4 py-2 text-lead font-semibold sm:px-6">
        Waiting for a person
        {count > questions.length && (
          <Link
            href="/questions?state=open"
            className="ml-2 text-base font-normal text-muted hover:text-ink"
          >{`and ${count - questions.length}${count === OPEN_COUNTED_MAX ? " or more" : " more"}`}</Link>
        )}
      </h2>
      <ul className="border-t border-line *:last:border-b-0">
        {questions.map((question) => (
          <li
            key={question.id}
            className="relative flex min-h-10 items-center gap-x-3 border-b border-line px-4 py-1 hover:bg-surface max-sm:flex-wrap max-sm:py-2 sm:px-6"
          >
            <RowLink
              href={`/questions/${question.id}`}
              className="min-w-0 flex-1 wrap-anywhere max-sm:basis-full"
            >
              <bdi>{titleOf(question)}</bdi>
            </RowLink>
            {mayAnswer && <Choices question={question} />}
            <span className="shrink-0 text-small text-muted tabular-nums max-sm:ml-auto">
              <Time unix={question.created_at} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Buttons for what one tap answers, if the row has room for all of it. */
function shownChoices(question: Question): { id: string; label: string }[] {
  const { context, artifact_id, task_id, prompt } = question;
  const choices = choicesOf(question);
  const labels = choices.map(({ label }) => label).join("");
  const isWhole =
    context === null &&
    artifact_id === null &&
    task_id === null &&
    prompt.length <= PROMPT_CHARACTERS_MAX &&
    !prompt.includes("\n") &&
    choices.length <= CHOICES_MAX &&
    labels.length <= LABELS_CHARACTERS_MAX;
  return isWhole ? choices : [];
}

function Choices({ question }: { question: Question }) {
  const choices = shownChoices(question);
  if (choices.length === 0) return null;
  return (
    <ActionForm
      action={answerQuestion}
      className="relative z-1 flex shrink-0 gap-2"
      isSmall
      fields={{ id: question.id, tag: stableTag(question) }}
    >
      {choices.map(({ id, label }) => (
        <Submit
          key={id}
          name="answer"
          value={id}
          className="button"
          successMessage={`Answered: ${label}`}
        >
          {label}
          <span className="sr-only">: {question.prompt}</span>
        </Submit>
      ))}
    </ActionForm>
  );
}
