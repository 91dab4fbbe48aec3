import { route } from "@/lib/http/route";
import { leaseNextTask } from "@/lib/tasks/lease-operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(leaseNextTask);
