import { route } from "@/lib/api/route";
import { upsertTask } from "@/lib/resources/tasks/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(upsertTask);
