import { route } from "@/lib/api/route";
import { scheduleOperations } from "@/lib/resources/schedules/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(scheduleOperations.upsert);
