import { route } from "@/lib/api/route";
import { addTaskBlocker, removeTaskBlocker } from "@/lib/resources/tasks/finish-operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  addTaskBlocker,
  removeTaskBlocker,
);
