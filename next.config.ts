import type { NextConfig } from "next";

const config: NextConfig = {
  poweredByHeader: false,
  // Agents that add a slash mean the same path; a redirect would lose their body.
  skipTrailingSlashRedirect: true,
  reactStrictMode: true,
  // `npm run check` looks at the types of everything, tests included; who starts the service need not wait for it.
  typescript: { ignoreBuildErrors: true },
  serverExternalPackages: ["pg"],
  // A document of a million characters is saved by a form as well.
  experimental: { serverActions: { bodySizeLimit: "5mb" } },
  headers: async () => [
    {
      source: "/((?!api/|\\.well-known/|openapi\\.json).*)",
      headers: [
        { key: "X-Content-Type-Options", value: "nosniff" },
        { key: "Referrer-Policy", value: "no-referrer" },
        { key: "X-Frame-Options", value: "DENY" },
      ],
    },
  ],
};

export default config;
