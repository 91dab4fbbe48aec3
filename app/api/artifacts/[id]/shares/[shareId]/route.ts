import { route } from "@/lib/api/route";
import { revokeArtifactShare } from "@/lib/resources/artifacts/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(revokeArtifactShare);
