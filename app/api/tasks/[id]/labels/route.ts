import { route } from "@/lib/api/route";
import { changeTaskLabels } from "@/lib/resources/tasks/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(changeTaskLabels);
