import { route } from "@/lib/api/route";
import { createSchedule, listSchedules } from "@/lib/resources/schedules/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  listSchedules,
  createSchedule,
);
