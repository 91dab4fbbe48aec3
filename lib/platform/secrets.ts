import { createHash, timingSafeEqual } from "node:crypto";

/** Whether two texts are equal. Compares digests, so that timing tells nothing. */
export function isSameSecret(sent: string, secret: string): boolean {
  return timingSafeEqual(digest(sent), digest(secret));
}

function digest(text: string) {
  return createHash("sha256").update(text).digest();
}
