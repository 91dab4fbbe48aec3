import { route } from "@/lib/api/route";
import { answerQuestion } from "@/lib/resources/questions/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(answerQuestion);
