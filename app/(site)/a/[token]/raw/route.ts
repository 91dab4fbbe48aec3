import { route } from "@/lib/api/route";
import { sharedArtifactOperations as shared } from "@/lib/resources/artifacts/shared-operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(shared.getRaw);
