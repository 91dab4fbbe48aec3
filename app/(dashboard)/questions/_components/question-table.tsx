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
import type { Question } from "@/lib/resources/questions/contract";

const COLUMNS: Column<Question>[] = [
  {
    name: "Question",
    look: "list-main",
    cell: (question) => (
      <NameCell
        href={`/questions/${question.id}`}
        name={titleOf(question) ?? "Question"}
        description={null}
      />
    ),
  },
  { name: "State", cell: (question) => <QuestionState question={question} /> },
  timeColumn("Asked", "created_at", undefined, NEWEST_FIRST),
  timeColumn("Expires", "expires_at", "max-sm:hidden"),
  idColumn(),
];

export function QuestionTable({ questions }: { questions: Question[] }) {
  return <ListTable columns={COLUMNS} rows={questions} />;
}
