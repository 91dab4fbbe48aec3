import { createHmac, randomBytes } from "node:crypto";
import { networkOf } from "@/lib/platform/addresses";
import { config } from "@/lib/platform/config/config";
import { derivedKey } from "@/lib/platform/encryption";
import { isSameSecret } from "@/lib/platform/secrets";

/** Who requests or enters a code. */
export interface CodeRequester {
  ip: string | null;
  /** The browser's proof of an earlier sign-in. */
  proof?: string | undefined;
}

/**
 * The key under which codes and attempts are counted: the browser, if it has signed in with this
 * address before, else its network. For IPv6 that is a /48, since one client may own all of it.
 */
export function codeSource(email: string, { ip, proof }: CodeRequester): string {
  const [browser = "", mac = ""] = proof?.split(".") ?? [];
  return isSameSecret(mac, browserMac(browser, email)) ? `browser:${browser}` : networkOf(ip, 48);
}

/**
 * A cookie value that proves an earlier sign-in with this address from this browser. It grants no
 * access, only a rate limit of the browser's own, which others on its network cannot exhaust.
 */
export function browserProof(email: string): string {
  const browser = randomBytes(16).toString("base64url");
  return `${browser}.${browserMac(browser, email)}`;
}

function browserMac(browser: string, email: string): string {
  const key = derivedKey(config().serverSecret, "known-browser:v1");
  return createHmac("sha256", key).update(`${browser}\0${email}`).digest("base64url");
}
