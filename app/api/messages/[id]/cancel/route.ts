import { route } from "@/lib/http/route";
import { cancelMessage } from "@/lib/messages/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(cancelMessage);
