import { route } from "@/lib/api/route";
import { listArtifactShares } from "@/lib/resources/artifacts/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(listArtifactShares);
