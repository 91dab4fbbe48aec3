import { route } from "@/lib/api/route";
import { taskBlockerOperations as blockers } from "@/lib/resources/tasks/blocker-operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(blockers.list);
