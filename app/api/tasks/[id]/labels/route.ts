import { route } from "@/lib/http/route";
import { changeTaskLabels } from "@/lib/tasks/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(changeTaskLabels);
