import { route } from "@/lib/api/route";
import { getRawArtifactVersion } from "@/lib/resources/artifacts/operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(getRawArtifactVersion);
