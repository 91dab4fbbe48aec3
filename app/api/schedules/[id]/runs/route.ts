import { route } from "@/lib/api/route";
import { listScheduleRuns } from "@/lib/resources/schedules/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(listScheduleRuns);
