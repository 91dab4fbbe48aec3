import { fileURLToPath } from "node:url";

export default {
  poweredByHeader: false,
  serverExternalPackages: ["pg"],
  // The packages of the repository.
  turbopack: { root: fileURLToPath(new URL("../../..", import.meta.url)) },
};
