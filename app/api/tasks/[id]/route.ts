import { route } from "@/lib/api/route";
import { deleteTask, getTask, updateTask } from "@/lib/resources/tasks/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  getTask,
  updateTask,
  deleteTask,
);
