import { route } from "@/lib/api/route";
import { messageOperations } from "@/lib/resources/messages/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(messageOperations.upsert);
