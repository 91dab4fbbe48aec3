import { route } from "@/lib/api/route";
import { cancelMessage } from "@/lib/resources/messages/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(cancelMessage);
