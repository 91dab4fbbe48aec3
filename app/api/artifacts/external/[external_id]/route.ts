import { upsertArtifact } from "@/lib/artifacts/operations";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(upsertArtifact);
