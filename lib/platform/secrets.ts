import { hash, timingSafeEqual } from "node:crypto";
import type { HttpRequest } from "./http/request";

/** Whether two texts are equal. Compares digests, so that timing tells nothing. */
export function isSameSecret(sent: string, secret: string): boolean {
  return timingSafeEqual(digest(sent), digest(secret));
}

/** Whether the bearer token of a request is this secret. */
export function isBearer(request: HttpRequest, secret: string): boolean {
  const sent = /^bearer +(.*)$/i.exec(request.headers.get("authorization") ?? "")?.[1] ?? "";
  return isSameSecret(sent, secret);
}

function digest(text: string) {
  return hash("sha256", text, "buffer");
}
