import type { Metadata } from "next";
import { queryParam, type SearchParams, withQuery } from "@/app/_shared/query";
import { requireSignIn } from "@/app/_shared/session";
import { ScheduleList } from "./_components/schedule-list";

export const metadata: Metadata = { title: "Schedules" };

export default async function SchedulesPage(props: { searchParams: Promise<SearchParams> }) {
  const params = await props.searchParams;
  const { caller } = await requireSignIn(withQuery("/schedules", params));
  return (
    <ScheduleList caller={caller} params={params} creating={queryParam(params, "new") === "1"} />
  );
}
