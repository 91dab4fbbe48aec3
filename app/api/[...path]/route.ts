import { route } from "@/lib/api/route";

// Every path under /api that has no folder of its own: 404 in the envelope.
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route();
