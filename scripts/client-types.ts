import { spawnSync } from "node:child_process";
import { openApiDocument } from "@/lib/api/openapi/document";
import { operations } from "@/lib/api/registry";

export const CLIENT_TYPES = "packages/client/src/schema.ts";

/** The types of the client: what openapi-typescript makes of the OpenAPI document. */
export function clientTypes(): string {
  const all = Object.values(operations);
  const described = all.filter(({ inPartOnly }) => !inPartOnly);
  // In a separate process, with the compiler that it needs.
  const argv = [
    "--import",
    "./scripts/typescript-5.mjs",
    "node_modules/openapi-typescript/bin/cli.js",
    "--empty-objects-unknown",
  ];
  const { stdout, stderr, status } = spawnSync(process.execPath, argv, {
    input: JSON.stringify(openApiDocument(described, all, "http://localhost:3000")),
    encoding: "utf8",
    maxBuffer: 10_000_000,
  });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}
