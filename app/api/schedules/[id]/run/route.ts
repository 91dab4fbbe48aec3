import { route } from "@/lib/api/route";
import { scheduleOperations as schedules } from "@/lib/resources/schedules/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(schedules.run);
