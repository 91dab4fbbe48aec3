import { route } from "@/lib/api/route";
import { deleteArtifact, getArtifact, updateArtifact } from "@/lib/resources/artifacts/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  getArtifact,
  updateArtifact,
  deleteArtifact,
);
