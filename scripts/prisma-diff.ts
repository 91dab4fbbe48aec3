import { spawnSync } from "node:child_process";
import path from "node:path";

const CLI = "node_modules/prisma/build/index.js";

/**
 * The SQL that brings the migrations in `root` up to `prisma/schema.prisma`; null when they agree.
 * `url` is an empty throwaway database in which Prisma's CLI replays the migrations.
 */
export function diffSql({ url, root = "" }: { url: string; root?: string }): string | null {
  const from = ["--from-migrations", path.join(root, "prisma/migrations")];
  const to = ["--to-schema", path.join(root, "prisma/schema.prisma")];
  const argv = [CLI, "migrate", "diff", ...from, ...to, "--script", "--exit-code"];
  const { status, stdout, stderr } = spawnSync(process.execPath, argv, {
    env: { ...process.env, DIRECT_URL: url },
    encoding: "utf8",
  });
  if (status === 0) return null;
  if (status !== 2) throw new Error(stderr);
  return stdout;
}
