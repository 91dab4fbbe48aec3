import { route } from "@/lib/api/route";
import { upsertArtifact } from "@/lib/resources/artifacts/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(upsertArtifact);
