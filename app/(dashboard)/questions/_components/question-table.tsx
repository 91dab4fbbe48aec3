import { withQuery } from "@/app/_shared/query";
import { QuestionState } from "@/app/_shared/question-state";
import { titleOf } from "@/app/_shared/resources";
import {
  type Column,
  idColumn,
  ListTable,
  NEWEST_FIRST,
  timeColumn,
} from "@/components/ui/list-table";
import { NameCell } from "@/components/ui/name-cell";
import { Time } from "@/components/ui/time";
import type { Question } from "@/lib/resources/questions/contract";

const COLUMNS: Column<Question>[] = [
  { name: "State", cell: (question) => <QuestionState question={question} /> },
  timeColumn("Asked", "created_at", undefined, NEWEST_FIRST),
  {
    name: "Expires",
    hidden: "max-sm:hidden",
    cell: ({ state, expires_at }) => state === "open" && <Time unix={expires_at} />,
  },
  idColumn(),
];

interface Props {
  questions: Question[];
  /** The only state in the list, if it is limited to one. */
  state: Question["state"] | undefined;
}

export function QuestionTable({ questions, state }: Props) {
  const name: Column<Question> = {
    name: "Question",
    look: "list-main",
    cell: (question) => (
      <NameCell
        href={withQuery(`/questions/${question.id}`, { state })}
        name={titleOf(question) ?? "Question"}
        description={null}
      />
    ),
  };
  return <ListTable columns={[name, ...COLUMNS]} rows={questions} />;
}
