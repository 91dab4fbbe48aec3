import { readdir } from "node:fs/promises";
import path from "node:path";

/** The folder of the migrations. */
export function migrationsFolder(root = process.cwd()): string {
  return path.join(/*turbopackIgnore: true*/ root, "prisma/migrations");
}

/** The names of all migrations of this version, in order. */
export async function migrationNames(folder = migrationsFolder()): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return names.sort();
}
