import { route } from "@/lib/api/route";
import { createMessage, listMessages } from "@/lib/messages/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(listMessages, createMessage);
