import { Submit } from "@/components/ui/action-form";
import { TextAreaField } from "@/components/ui/text-area";
import type { Question } from "@/lib/resources/questions/contract";

/** The buttons or the field that answer a question, inside its form. */
export function AnswerFields({ question }: { question: Question }) {
  const { kind, options } = question;
  if (kind === "text") {
    return (
      <div className="grid gap-3">
        <TextAreaField label="Your answer" name="answer" rows={4} required maxLength={10_000} />
        <Submit className="button button-primary min-h-11">Send the answer</Submit>
      </div>
    );
  }
  const choices =
    kind === "approve"
      ? [
          { id: "approve", label: "Approve" },
          { id: "deny", label: "Deny" },
        ]
      : (options ?? []);
  return (
    <div className="grid gap-2">
      {choices.map(({ id, label }) => (
        <Submit
          key={id}
          name="answer"
          value={id}
          className={`button min-h-11 wrap-anywhere whitespace-normal ${id === "approve" && kind === "approve" ? "button-primary" : ""}`}
        >
          {label}
        </Submit>
      ))}
    </div>
  );
}
