import { route } from "@/lib/api/route";

// Every path under /api without a folder of its own: 404 in the envelope.
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route();
