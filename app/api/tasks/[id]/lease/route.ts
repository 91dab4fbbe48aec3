import { route } from "@/lib/api/route";
import { taskOperations as tasks } from "@/lib/resources/tasks/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  tasks.getLease,
  tasks.takeLease,
  tasks.releaseLease,
);
