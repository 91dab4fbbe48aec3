import type { Metadata } from "next";
import { listPage } from "@/app/(dashboard)/_shared/index-page";
import { ScheduleList } from "./_components/schedule-list";

export const metadata: Metadata = { title: "Schedules" };

export default listPage("schedules", ScheduleList);
