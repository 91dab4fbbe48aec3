import { route } from "@/lib/api/route";
import { getSigningKeys } from "@/lib/resources/messages/signing-keys";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(getSigningKeys);
