import { route } from "@/lib/api/route";
import { deleteSchedule, getSchedule, updateSchedule } from "@/lib/resources/schedules/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  getSchedule,
  updateSchedule,
  deleteSchedule,
);
