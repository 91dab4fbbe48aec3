import { route } from "@/lib/api/route";
import { captureOperations } from "@/lib/resources/webhooks/events/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(...captureOperations);
