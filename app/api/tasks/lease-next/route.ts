import { route } from "@/lib/api/route";
import { taskOperations as tasks } from "@/lib/resources/tasks/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(tasks.leaseNext);

/** In seconds: the longest wait, and time to respond. */
export const maxDuration = 60;
