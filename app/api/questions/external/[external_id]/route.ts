import { route } from "@/lib/api/route";
import { questionOperations } from "@/lib/resources/questions/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(questionOperations.upsert);
