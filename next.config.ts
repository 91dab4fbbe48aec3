import type { NextConfig } from "next";

const config: NextConfig = {
  poweredByHeader: false,
  // Agents that add a slash mean the same path; a redirect would lose their body.
  skipTrailingSlashRedirect: true,
  reactStrictMode: true,
  // Nothing uses the optimizer; it would fetch and cache what the service may have closed since.
  images: { unoptimized: true },
  // `npm run check` looks at the types of everything, tests included; who starts the service need not wait for it.
  typescript: { ignoreBuildErrors: true },
  serverExternalPackages: ["pg"],
  // A document of a million characters is saved by a form as well.
  experimental: { serverActions: { bodySizeLimit: "5mb" } },
  // Started by its path as a thread, so nothing that is traced leads to it.
  outputFileTracingIncludes: {
    "/a/\\[token\\]/view": ["./dist/lib/artifacts/markdown-worker.js"],
    "/artifacts/\\[id\\]/view": ["./dist/lib/artifacts/markdown-worker.js"],
  },
  headers: async () => [
    {
      source: "/((?!api/|\\.well-known/|openapi\\.json|(?:a|artifacts)/[^/]+/(?:raw|view)).*)",
      headers: [
        { key: "X-Content-Type-Options", value: "nosniff" },
        // Other sites are told nothing. With "no-referrer" browsers would hide from us, too, that a
        // form is our own: they send `Origin: null`.
        { key: "Referrer-Policy", value: "same-origin" },
        { key: "X-Frame-Options", value: "DENY" },
      ],
    },
    {
      source: "/",
      headers: [
        {
          key: "Link",
          value:
            '</llms.txt>; rel="describedby"; type="text/plain", </openapi.json>; rel="service-desc"; type="application/json", </auth.md>; rel="service-doc"; type="text/markdown"',
        },
        { key: "Vary", value: "Accept" },
      ],
    },
    {
      // A shared artifact: the page has no word of its author but the name; the document is in a frame.
      source: "/a/:token",
      headers: [
        { key: "X-Robots-Tag", value: "noindex, nofollow" },
        { key: "Referrer-Policy", value: "no-referrer" },
      ],
    },
  ],
};

export default config;
