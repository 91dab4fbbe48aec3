import { createHash, timingSafeEqual } from "node:crypto";
import type { HttpRequest } from "./request";

/**
 * Whether a request has this secret as its bearer token. Compares digests, so that timing reveals
 * neither length nor content.
 */
export function isBearer(request: HttpRequest, secret: string): boolean {
  const sent = /^bearer +(.*)$/i.exec(request.headers.get("authorization") ?? "")?.[1] ?? "";
  return timingSafeEqual(digest(sent), digest(secret));
}

function digest(text: string) {
  return createHash("sha256").update(text).digest();
}
