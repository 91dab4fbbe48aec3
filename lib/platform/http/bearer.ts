import { isSameSecret } from "@/lib/platform/secrets";
import type { HttpRequest } from "./request";

/** Whether the bearer token is this secret. */
export function isBearer(request: HttpRequest, secret: string): boolean {
  const sent = /^bearer +(.*)$/i.exec(request.headers.get("authorization") ?? "")?.[1] ?? "";
  return isSameSecret(sent, secret);
}
