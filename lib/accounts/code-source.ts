import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from "node:crypto";
import { config } from "@/lib/config/config";
import { networkOf } from "@/lib/http/sliding-window";

/** Who asks for a code, or tries one. */
export interface CodeClient {
  ip: string | null;
  /** What an earlier sign-in left in this browser, if it has one. */
  proof?: string | undefined;
}

/**
 * For whom codes and tries are counted: the browser, if it signed in with this address before, else
 * its network. An IPv6 site has a /48, and one client may own all of it.
 */
export function codeSource(email: string, { ip, proof }: CodeClient): string {
  const [browser = "", mac = ""] = proof?.split(".") ?? [];
  const isKnown = timingSafeEqual(digest(mac), digest(macOf(browser, email)));
  return isKnown ? `browser:${browser}` : networkOf(ip, 48);
}

/**
 * What a browser keeps when somebody has signed in there with this address. It opens nothing, but
 * strangers in the browser's network cannot use up its allowance of codes.
 */
export function browserProof(email: string): string {
  const browser = randomBytes(16).toString("base64url");
  return `${browser}.${macOf(browser, email)}`;
}

function macOf(browser: string, email: string): string {
  const key = new Uint8Array(hkdfSync("sha256", config().serverSecret, "", "known-browser:v1", 32));
  return createHmac("sha256", key).update(`${browser}\0${email}`).digest("base64url");
}

/** Of equal length, whatever was sent. */
function digest(text: string): Buffer {
  return createHmac("sha256", "").update(text).digest();
}
