import { createHash, timingSafeEqual } from "node:crypto";
import type { HttpRequest } from "./request";

/** Whether the bearer token is this secret. Compares digests, so that timing tells nothing. */
export function isBearer(request: HttpRequest, secret: string): boolean {
  const sent = /^bearer +(.*)$/i.exec(request.headers.get("authorization") ?? "")?.[1] ?? "";
  return isSharedSecret(sent, secret);
}

/** Whether two texts are equal. */
export function isSharedSecret(sent: string, secret: string): boolean {
  return timingSafeEqual(digest(sent), digest(secret));
}

function digest(text: string) {
  return createHash("sha256").update(text).digest();
}
