import { route } from "@/lib/api/route";
import { messageOperations as messages } from "@/lib/resources/messages/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(messages.listAttempts);
