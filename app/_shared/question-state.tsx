import { State, type Tone } from "@/components/ui/state";
import { truncate } from "@/lib/platform/truncate";
import type { Question } from "@/lib/resources/questions/contract";
import { answerWords } from "./question-words";

const STATES: Record<Question["state"], { word: string; tone: Tone }> = {
  open: { word: "Waiting", tone: "waiting" },
  answered: { word: "Answered", tone: "ok" },
  expired: { word: "Expired", tone: "quiet" },
  withdrawn: { word: "Withdrawn", tone: "quiet" },
};

export function questionStateWord(state: Question["state"]): string {
  return STATES[state].word;
}

export function QuestionState({ question }: { question: Question }) {
  const { word, tone } = STATES[question.state];
  if (question.state !== "answered") return <State word={word} tone={tone} />;
  const isDenied = question.kind === "approve" && question.answer === "deny";
  return <State word={truncate(answerWords(question), 60)} tone={isDenied ? "quiet" : tone} />;
}
