import { route } from "@/lib/api/route";
import { rotateSigningSecret } from "@/lib/messages/signing-secret-operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(rotateSigningSecret);
