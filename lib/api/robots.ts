/**
 * The text of `/robots.txt` (RFC 9309). Crawlers may read the home page, the documentation and the
 * documents for agents; everything else belongs to somebody.
 */
export function robotsText(): string {
  return ["User-agent: *", ...OPEN.map((path) => `Allow: ${path}`), "Disallow: /", ""].join("\n");
}

/** A path allows everything that starts with it; `$` marks its end. */
const OPEN = [
  "/$",
  "/docs",
  "/_next/static/",
  "/icon.svg",
  "/llms.txt",
  "/llms-full.txt",
  "/client.tgz",
  "/mcp/server-card",
  "/skill.md",
  "/auth.md",
  "/openapi.json",
  "/openapi/",
  "/.well-known/",
];
