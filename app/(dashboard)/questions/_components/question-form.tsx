import { formFields } from "@/components/ui/form-fields";
import { ResourceForm } from "@/components/ui/resource-form";
import { type Question, QuestionCreate } from "@/lib/resources/questions/contract";
import { createQuestion, updateQuestion } from "../actions";

/** Asks a question, or edits one that is open. */
export function QuestionForm(props: { question?: Question; closeHref: string }) {
  const { question, closeHref } = props;
  const field = formFields(QuestionCreate, question);
  return (
    <ResourceForm
      action={question ? updateQuestion : createQuestion}
      closeHref={closeHref}
      resource={question}
      create="Ask"
      className="group grid gap-3 sm:grid-cols-2"
    >
      {field("prompt", { className: "sm:col-span-2", rows: 3 })}
      {!question &&
        field("kind", {
          label: "Answered with",
          options: [
            ["approve", "Approve or deny"],
            ["choice", "One of the options"],
            ["text", "Text"],
          ],
        })}
      {!question &&
        field("options", {
          className: "hidden group-has-[option[value=choice]:checked]:block",
          hint: "one per line",
          rows: 3,
        })}
      {field("context", { className: "sm:col-span-2", hint: "Markdown", rows: 4 })}
    </ResourceForm>
  );
}
