import { route } from "@/lib/api/route";
import { createTask, listTasks } from "@/lib/resources/tasks/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(listTasks, createTask);
