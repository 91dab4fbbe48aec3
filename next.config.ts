import { readFileSync } from "node:fs";
import type { NextConfig } from "next";
import { DISCOVERY_LINKS } from "./lib/platform/http/discovery-links";
import { STORED_CONTENT } from "./lib/resources/stored-content";

/** Started by its path, so tracing does not find it. */
const MARKDOWN_WORKER = ["./dist/lib/resources/artifacts/markdown-worker.js"];

const config: NextConfig = {
  poweredByHeader: false,
  // Lets a page detect that the server runs another version, and reload instead of mixing both.
  ...deployment(),
  // A trailing slash means the same path; a redirect would drop the body.
  skipTrailingSlashRedirect: true,
  reactStrictMode: true,
  // Unused; the optimizer could also cache images whose access was revoked.
  images: { unoptimized: true },
  // `npm run check` checks types, so starting the service need not.
  typescript: { ignoreBuildErrors: true },
  serverExternalPackages: ["pg"],
  // Next would leave it out of the bundle, and production would need all of its 74 MB.
  transpilePackages: ["@prisma/client"],
  experimental: {
    // A form may save a document of up to a million characters.
    serverActions: { bodySizeLimit: "5mb" },
    // Where proxy.ts runs, Next cuts off longer bodies; see `LONG_BODY_BYTES_MAX`.
    proxyClientMaxBodySize: "13mb",
    // A process loads a page for its first visitor. Without preloading it starts with a third less
    // CPU time and 30 MB less memory.
    preloadEntriesOnStart: false,
    // With an old cache, a build has been seen to use both cores for eleven minutes without ending.
    turbopackFileSystemCacheForBuild: false,
    // Nobody reads them: no server maps its stack traces, and `npm run pack` leaves them out.
    turbopackSourceMaps: false,
  },
  outputFileTracingIncludes: {
    "/a/\\[token\\]/view": MARKDOWN_WORKER,
    "/docs/\\[\\[...path\\]\\]": ["./dist/docs/**"],
    "/metrics": ["./prisma/migrations/**"],
    "/readyz": ["./prisma/migrations/**"],
    "/api/health": ["./prisma/migrations/**"],
    "/llms-full\\.txt": ["./dist/docs/full.md"],
    "/client\\.tgz": ["./dist/client.tgz"],
    "/tasks/\\[id\\]": MARKDOWN_WORKER,
    "/artifacts/preview/view": MARKDOWN_WORKER,
    "/artifacts/\\[id\\]/view": MARKDOWN_WORKER,
    "/artifacts/\\[id\\]/versions/\\[n\\]/view": MARKDOWN_WORKER,
    "/questions/\\[id\\]/\\[part\\]/\\[signature\\]/view": MARKDOWN_WORKER,
  },
  headers: async () => [
    {
      source: `/((?!api/|\\.well-known/|openapi\\.json|docs(?:/|$)|${STORED_CONTENT}).*)`,
      headers: [
        { key: "X-Content-Type-Options", value: "nosniff" },
        // Hides the referrer from other sites. With "no-referrer", browsers would send `Origin:
        // null` with our own forms.
        { key: "Referrer-Policy", value: "same-origin" },
        { key: "X-Frame-Options", value: "DENY" },
      ],
    },
    {
      source: "/",
      headers: [
        {
          key: "Link",
          value: DISCOVERY_LINKS,
        },
      ],
    },
    {
      // A shared artifact. The page itself contains only its name; the document is in a frame.
      source: "/a/:token",
      headers: [
        { key: "X-Robots-Tag", value: "noindex, nofollow" },
        { key: "Referrer-Policy", value: "no-referrer" },
      ],
    },
  ],
};

/** Written by the build, so that all servers running one build agree. Next itself reads Vercel's. */
function deployment(): { deploymentId?: string } {
  if (process.env.NEXT_DEPLOYMENT_ID) return {};
  try {
    return { deploymentId: readFileSync("dist/deployment-id", "utf8") };
  } catch {
    return {}; // `npm run dev`
  }
}

export default config;
