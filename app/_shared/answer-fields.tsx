import { Submit } from "@/components/ui/action-form";
import { TextAreaField } from "@/components/ui/text-area";
import type { Question } from "@/lib/resources/questions/contract";
import type { FormAnswer } from "@/lib/resources/questions/form";
import { FormFields } from "./form-fields";

/** What a question can be answered with by one tap. */
export function choicesOf({ kind, options }: Question): { id: string; label: string }[] {
  if (kind !== "approve") return (options ?? []) as { id: string; label: string }[];
  return [
    { id: "approve", label: "Approve" },
    { id: "deny", label: "Deny" },
  ];
}

interface Props {
  question: Question;
  /** An answer that was not taken. */
  given?: string | FormAnswer | undefined;
}

/** The buttons or the fields that answer a question, inside its form. */
export function AnswerFields({ question, given }: Props) {
  const { kind, form } = question;
  if (form) {
    return (
      <div className="grid gap-3">
        <FormFields form={form} given={typeof given === "object" ? given : undefined} />
        <Submit className="button button-primary min-h-11" name="answer" value="form">
          Send the answer
        </Submit>
      </div>
    );
  }
  if (kind === "text") {
    return (
      <div className="grid gap-3">
        <TextAreaField
          label="Your answer"
          name="answer"
          rows={4}
          required
          maxLength={10_000}
          defaultValue={typeof given === "string" ? given : undefined}
        />
        <Submit className="button button-primary min-h-11">Send the answer</Submit>
      </div>
    );
  }
  return (
    <div className="grid gap-2">
      {choicesOf(question).map(({ id, label }) => (
        <Submit
          key={id}
          name="answer"
          value={id}
          className={`button min-h-11 wrap-anywhere whitespace-normal ${id === "approve" && kind === "approve" ? "button-primary" : ""}`}
        >
          <bdi>{label}</bdi>
        </Submit>
      ))}
    </div>
  );
}
