const LENGTH_MAX = 1000;

/** Printable ASCII without the characters that browsers and logs rewrite. */
const PLAIN = /^[!#-;=?-[\]_a-z~]+$/;
/** RFC 8252 §7.3. `localhost` is allowed since many clients use it. */
const LOOPBACK = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::\d{1,5})?(?=[/?]|$)(.*)$/;
/** A reverse domain name (RFC 8252 §7.1). */
const PRIVATE_SCHEME = /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+$/;
/** Schemes of well-known MCP clients, and of the editors that MCP clients extend, which contain no dot. */
const KNOWN_SCHEMES = [
  "antigravity",
  "claude",
  "cursor",
  "kiro",
  "vscode",
  "vscode-insiders",
  "vscodium",
  "warp",
  "windsurf",
];

/** Why a client may not register this redirect URI, or undefined. */
export function redirectUriProblem(uri: string): string | undefined {
  if (uri.length > LENGTH_MAX) return `has more than ${LENGTH_MAX} characters`;
  const url = PLAIN.test(uri) && URL.canParse(uri) ? new URL(uri) : undefined;
  if (!url) return "is not an absolute URL in plain ASCII";
  if (uri.includes("#")) return "has a fragment";
  if (url.username !== "" || url.password !== "" || /^\w+:\/\/[^/?]*@/.test(uri)) {
    return "contains credentials";
  }
  const scheme = url.protocol.slice(0, -1);
  // Another spelling of the same URL, such as HTTPS: or an empty port, would disguise the host.
  if (!uri.startsWith(url.protocol)) return "has a scheme in capitals";
  if (scheme === "https") {
    return uri.startsWith(`https://${url.host}`) ? undefined : "has an unusual host";
  }
  if (scheme === "http") {
    return LOOPBACK.test(uri) ? undefined : "uses http, which only loopback addresses may";
  }
  if (PRIVATE_SCHEME.test(scheme) || KNOWN_SCHEMES.includes(scheme)) return undefined;
  return "must use https, http on a loopback address, or a private scheme such as com.example.app";
}

/** Whether a redirect URI is registered. A loopback URI may have any port. */
export function isRegistered(uri: string, registered: readonly string[]): boolean {
  if (redirectUriProblem(uri) !== undefined) return false;
  return registered.some((known) => withoutLoopbackPort(known) === withoutLoopbackPort(uri));
}

export function isLoopbackUri(uri: string): boolean {
  return LOOPBACK.test(uri);
}

/** Adds query parameters to a redirect URI. */
export function withParameters(uri: string, parameters: Record<string, string | undefined>) {
  const defined = Object.entries(parameters).filter(
    (pair): pair is [string, string] => pair[1] !== undefined,
  );
  return `${uri}${uri.includes("?") ? "&" : "?"}${new URLSearchParams(defined)}`;
}

function withoutLoopbackPort(uri: string): string {
  const [, origin, rest = ""] = LOOPBACK.exec(uri) ?? [];
  return origin === undefined ? uri : origin + rest;
}
