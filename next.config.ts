import { existsSync, readFileSync } from "node:fs";
import type { NextConfig } from "next";
import { DISCOVERY_LINKS } from "./lib/platform/http/discovery-links";
import { STORED_CONTENT } from "./lib/platform/http/stored-content";

const config: NextConfig = {
  poweredByHeader: false,
  // With it, a page notices that the server has another version, and reloads instead of mixing both.
  ...deployment(),
  // A trailing slash means the same path; a redirect would drop the body.
  skipTrailingSlashRedirect: true,
  reactStrictMode: true,
  // Unused; the optimizer could also cache images whose access was revoked.
  images: { unoptimized: true },
  // `npm run check` checks types, so that starting the service need not.
  typescript: { ignoreBuildErrors: true },
  serverExternalPackages: ["pg"],
  // Next would leave it outside of the bundle, and production would need all of its 74 MB.
  transpilePackages: ["@prisma/client"],
  experimental: {
    // Forms save documents of up to a million characters.
    serverActions: { bodySizeLimit: "5mb" },
    // A process loads a page for its first visitor: it starts with a third less CPU and 30 MB less.
    preloadEntriesOnStart: false,
    // Most checkouts are built once: only later builds spend a fourth of their time on a cache.
    turbopackFileSystemCacheForBuild: existsSync(".next/BUILD_ID"),
  },
  // Started by path, so tracing does not find it.
  outputFileTracingIncludes: {
    "/a/\\[token\\]/view": ["./dist/lib/resources/artifacts/markdown-worker.js"],
    "/docs/\\[\\[...path\\]\\]": ["./dist/docs/**"],
    "/readyz": ["./prisma/migrations/**"],
    "/api/health": ["./prisma/migrations/**"],
    "/llms-full\\.txt": ["./dist/docs/full.md"],
    "/tasks/\\[id\\]": ["./dist/lib/resources/artifacts/markdown-worker.js"],
    "/artifacts/\\[id\\]/view": ["./dist/lib/resources/artifacts/markdown-worker.js"],
    "/artifacts/\\[id\\]/versions/\\[n\\]/view": [
      "./dist/lib/resources/artifacts/markdown-worker.js",
    ],
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
        { key: "Vary", value: "Accept" },
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

/** What the build wrote, so that all servers that run one build agree. */
function deployment(): { deploymentId?: string } {
  try {
    return { deploymentId: readFileSync("dist/deployment-id", "utf8") };
  } catch {
    return {}; // `npm run dev`
  }
}

export default config;
