import { InvalidArgumentError } from "commander";

/** Where to forward: a URL, `localhost:3000/hook`, or `3000/hook` for a port of this machine. */
export function parseTarget(text: string): URL {
  const whole = /^\d+([/?#]|$)/.test(text)
    ? `http://localhost:${text}`
    : text.includes("://")
      ? text
      : `http://${text}`;
  const url = URL.canParse(whole) ? new URL(whole) : undefined;
  // A host of digits only is a misplaced port, which the URL parser takes for an address: 4046 is
  // 0.0.15.206.
  const isNumber = /^\w+:\/\/(?:[^/?#]*@)?\d+(?![^:/?#])/.test(whole);
  if (!url || isNumber || !["http:", "https:"].includes(url.protocol)) {
    throw new InvalidArgumentError(
      "Write where to forward, such as http://localhost:3000/hook, 3000/hook or 3000.",
    );
  }
  return url;
}

/** The ID of a webhook endpoint, given as an ID or as its capture URL. */
export function endpointIdOf(given: string): string {
  return /\/api\/catch\/([^/?#]+)/.exec(given)?.[1] ?? given;
}

/** The request target at the forwarding URL for a captured path and query, kept byte for byte. */
export function pathAt(target: URL, capturedPath: string, queryString: string): string {
  const below = capturedPath.replace(/^\/api\/catch\/[^/]*/, "");
  const path = below === "" ? target.pathname : target.pathname.replace(/\/$/, "") + below;
  const query = [target.search.slice(1), queryString].filter(Boolean).join("&");
  return query === "" ? path : `${path}?${query}`;
}

/** Whether `..` in a captured path would lead outside of the target, as in /hook/../admin. */
export function leavesPath(target: URL, capturedPath: string): boolean {
  const reached = new URL(target.origin + pathAt(target, capturedPath, "")).pathname;
  return (
    reached !== target.pathname && !reached.startsWith(`${target.pathname.replace(/\/$/, "")}/`)
  );
}
