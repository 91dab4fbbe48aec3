import { route } from "@/lib/api/route";
import { withdrawQuestion } from "@/lib/resources/questions/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(withdrawQuestion);
