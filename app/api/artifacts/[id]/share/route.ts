import { route } from "@/lib/api/route";
import { revokeArtifactShares, shareArtifact } from "@/lib/resources/artifacts/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  shareArtifact,
  revokeArtifactShares,
);
