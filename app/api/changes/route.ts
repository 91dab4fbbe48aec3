import { route } from "@/lib/api/route";
import { changeOperations as changes } from "@/lib/resources/changes/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(changes.list);

/** In seconds: for exports, the longest time on every plan of Vercel. */
export const maxDuration = 300;
