import type { Metadata } from "next";
import { queryParam, type SearchParams, withQuery } from "@/app/_shared/query";
import { requireSignIn } from "@/app/_shared/session";
import { filtersOf, readFilters, wordsOf } from "./_components/task-filters";
import { TaskList } from "./_components/task-list";

interface Props {
  searchParams: Promise<SearchParams>;
}

/** The title names the filters, so that a bookmark and the palette's recent entries do. */
export async function generateMetadata({ searchParams }: Props): Promise<Metadata> {
  const words = wordsOf(filtersOf(await searchParams));
  return { title: words ? `Tasks: ${words}` : "Tasks" };
}

export default async function TasksPage(props: Props) {
  const params = await props.searchParams;
  const { caller } = await requireSignIn(withQuery("/tasks", { ...params }));
  return (
    <TaskList
      caller={caller}
      {...readFilters(params)}
      creating={queryParam(params, "new") === "1"}
    />
  );
}
