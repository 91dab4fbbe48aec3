import { route } from "@/lib/api/route";
import { completeTask } from "@/lib/resources/tasks/finish-operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(completeTask);
