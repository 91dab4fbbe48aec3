import { route } from "@/lib/api/route";
import { createArtifact, listArtifacts } from "@/lib/resources/artifacts/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  listArtifacts,
  createArtifact,
);
