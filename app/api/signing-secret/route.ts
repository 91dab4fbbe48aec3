import { route } from "@/lib/api/route";
import { signingSecretOperations as signingSecret } from "@/lib/resources/messages/signing-secret-operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(signingSecret.get);
