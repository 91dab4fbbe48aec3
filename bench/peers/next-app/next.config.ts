import { fileURLToPath } from "node:url";
import type { NextConfig } from "next";

const config: NextConfig = {
  poweredByHeader: false,
  serverExternalPackages: ["pg"],
  // The packages of the repository.
  turbopack: { root: fileURLToPath(new URL("../../..", import.meta.url)) },
  // Otherwise Next would find the repository's proxy.ts and instrumentation.ts, and run them.
  pageExtensions: ["js", "jsx"],
};

export default config;
