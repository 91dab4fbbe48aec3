import { route } from "@/lib/http/route";
import { deleteTask, getTask, updateTask } from "@/lib/tasks/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  getTask,
  updateTask,
  deleteTask,
);
