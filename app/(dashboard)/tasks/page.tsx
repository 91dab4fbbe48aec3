import type { Metadata } from "next";
import { queryParam, type SearchParams, withQuery } from "@/app/_shared/query";
import { requireSignIn } from "@/app/_shared/session";
import { filtersOf } from "./_components/task-filters";
import { TaskList } from "./_components/task-list";

export const metadata: Metadata = { title: "Tasks" };

export default async function TasksPage(props: { searchParams: Promise<SearchParams> }) {
  const params = await props.searchParams;
  const { caller } = await requireSignIn(withQuery("/tasks", { ...params }));
  return (
    <TaskList
      caller={caller}
      filters={filtersOf(params)}
      creating={queryParam(params, "new") === "1"}
    />
  );
}
