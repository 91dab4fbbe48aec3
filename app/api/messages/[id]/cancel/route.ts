import { route } from "@/lib/api/route";
import { cancelMessage } from "@/lib/messages/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(cancelMessage);
