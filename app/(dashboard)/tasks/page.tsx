import type { Metadata } from "next";
import { address, one, type SearchParams } from "@/app/_shared/address";
import { signedIn } from "@/app/_shared/session";
import { filtersOf } from "./_components/filters";
import { TaskList } from "./_components/task-list";

export const metadata: Metadata = { title: "Tasks" };

export default async function TasksPage(props: { searchParams: Promise<SearchParams> }) {
  const params = await props.searchParams;
  const { caller } = await signedIn(address("/tasks", { ...params }));
  return (
    <TaskList caller={caller} filters={filtersOf(params)} creating={one(params, "new") === "1"} />
  );
}
