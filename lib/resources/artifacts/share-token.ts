import { config } from "@/lib/platform/config/config";
import { idIn, signedId } from "@/lib/platform/signed-id";

/** The URL of a share link. */
export function shareUrl(shareId: string): string {
  return `${config().baseUrl}/a/${signedId("artifact-share", shareId)}`;
}

/** The share ID in the token of a link; undefined for an invalid token. */
export function shareIdOf(token: string): string | undefined {
  return idIn("artifact-share", "shr", token);
}
