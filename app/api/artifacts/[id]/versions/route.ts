import { route } from "@/lib/api/route";
import { listArtifactVersions } from "@/lib/artifacts/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(listArtifactVersions);
