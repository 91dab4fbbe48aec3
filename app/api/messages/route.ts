import { route } from "@/lib/api/route";
import { createMessage, listMessages } from "@/lib/resources/messages/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(listMessages, createMessage);
