import { getClientPackage } from "@/lib/api/client-package";
import { route } from "@/lib/api/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(getClientPackage);
