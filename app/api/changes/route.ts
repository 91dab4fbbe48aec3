import { route } from "@/lib/api/route";
import { changeOperations as changes } from "@/lib/resources/changes/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(changes.list);

/** In seconds. Exports take long; every plan of Vercel allows this. */
export const maxDuration = 300;
