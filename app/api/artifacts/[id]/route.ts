import { route } from "@/lib/api/route";
import { deleteArtifact, getArtifact, updateArtifact } from "@/lib/artifacts/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  getArtifact,
  updateArtifact,
  deleteArtifact,
);
