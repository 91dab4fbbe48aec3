import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ApiError } from "@/lib/platform/errors";
import { operation } from "@/lib/platform/http/operation";
import { publicDocument } from "@/lib/platform/http/public-document";
import { constant, lazy } from "./public-text";

export const getClientPackage = operation("GET /client.tgz", {
  ...publicDocument,
  id: "getClientPackage",
  summary: "Get the TypeScript client and command line",
  description: "A package for npm, of this server's version: `npm install <this URL>`.",
  success: { status: 200, contentType: "application/gzip" },
  failures: [404],
  conditional: true,
  handle: () => clientPackage(),
});

const clientPackage = lazy(async () => {
  // A path relative to the bundle would differ between platforms.
  const file = join(/*turbopackIgnore: true*/ process.cwd(), "dist/client.tgz");
  const content = await readFile(file).catch((cause) => {
    if (cause.code !== "ENOENT") throw cause;
    const message = "This server has no client: npm run build makes it.";
    throw new ApiError("resource_not_found", message, { cause });
  });
  return constant("application/gzip", content);
});
