import { kindRoute } from "@/lib/api/kind-route";

// The list and the create of every kind of resource.
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = kindRoute;
