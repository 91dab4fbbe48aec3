import { kindRoute } from "@/lib/api/kind-route";

// The upsert of every kind of resource.
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = kindRoute;
