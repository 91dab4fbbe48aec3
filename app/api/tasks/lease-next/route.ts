import { route } from "@/lib/api/route";
import { leaseNextTask } from "@/lib/resources/tasks/lease-operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(leaseNextTask);

/** In seconds: the longest wait, and time to respond. */
export const maxDuration = 60;
