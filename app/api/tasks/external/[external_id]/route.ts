import { route } from "@/lib/api/route";
import { taskOperations } from "@/lib/resources/tasks/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(taskOperations.upsert);
