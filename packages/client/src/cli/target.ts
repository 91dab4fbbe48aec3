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

/** The ID of a webhook endpoint, given as an ID or as its capture URL. `whe_…` means `wh_…`. */
export function endpointIdOf(given: string): string {
  const id = /\/api\/catch\/([^/?#]+)/.exec(given)?.[1] ?? given;
  return id.replace(/^whe_/, "wh_");
}

const DECODED_MAX = 5;

/** The request target at the forwarding URL for a captured path and query, kept byte for byte. */
export function pathAt(target: URL, capturedPath: string, queryString: string): string {
  const below = pathBelow(capturedPath);
  const path = below === "" ? target.pathname : target.pathname.replace(/\/$/, "") + below;
  const query = [target.search.slice(1), queryString].filter(Boolean).join("&");
  return query === "" ? path : `${path}?${query}`;
}

/**
 * Whether `..` in a captured path may lead outside of the target, as in /hook/../admin. Servers may
 * decode a path more than once, drop parameters such as `;x`, and take `\` for `/`.
 */
export function leavesPath(target: URL, capturedPath: string): boolean {
  if (target.pathname === "/") return false;
  let depth = 0;
  for (const segment of decoded(pathBelow(capturedPath)).split(/[/\\]/)) {
    const [name = ""] = segment.split(";");
    if (name === "..") depth -= 1;
    else if (name !== "" && name !== ".") depth += 1;
    if (depth < 0) return true;
  }
  return false;
}

function pathBelow(capturedPath: string): string {
  return capturedPath.replace(/^\/api\/catch\/[^/]*/, "");
}

/** The path, decoded as often as any server may. Only its ASCII characters are right. */
function decoded(path: string): string {
  let text = path;
  for (let pass = 0; pass < DECODED_MAX; pass += 1) {
    text = text.replace(/%(?:25)*([0-9a-f]{2})/gi, (_, hex) =>
      String.fromCharCode(parseInt(hex, 16)),
    );
  }
  return text;
}
