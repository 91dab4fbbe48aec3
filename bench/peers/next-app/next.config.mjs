import { fileURLToPath } from "node:url";

export default {
  poweredByHeader: false,
  serverExternalPackages: ["pg"],
  // The packages of the repository.
  turbopack: { root: fileURLToPath(new URL("../../..", import.meta.url)) },
  // Otherwise Next would find the repository's proxy.ts and instrumentation.ts, and run them.
  pageExtensions: ["js", "jsx"],
};
