import { route } from "@/lib/api/route";
import { addTaskNote, listTaskNotes } from "@/lib/resources/tasks/finish-operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(addTaskNote, listTaskNotes);
