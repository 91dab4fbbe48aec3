import { route } from "@/lib/api/route";
import { getSigningSecret } from "@/lib/resources/messages/signing-secret-operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(getSigningSecret);
