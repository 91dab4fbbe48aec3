import { type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { chown, lstat, readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { OperatorError } from "@/lib/platform/operator-error";
import type { PostgresBinaries } from "./binaries";

/** The user that runs Postgres: ourselves or, since Postgres refuses root, another one. */
export interface PostgresUser {
  /** Null if we run it ourselves. */
  owner: { uid: number; gid: number } | null;
  /** A command prefix such as `setpriv --reuid 999 …`. */
  prefix: string[];
  libraryPath: string | null;
}

/**
 * Chooses the user that runs Postgres: ourselves or, when we are root, the owner of existing data,
 * `postgres` or `nobody`. The choice is tested.
 */
export async function choosePostgresUser(
  binaries: PostgresBinaries,
  clusterDir: string,
): Promise<PostgresUser> {
  const self = process.geteuid?.() ?? -1;
  const dataOwner = await stat(clusterDir).catch(() => null);
  const ourselves = { owner: null, prefix: [], libraryPath: binaries.libraryPath };
  if (self !== 0) {
    if (dataOwner === null || dataOwner.uid === self) return ourselves;
    throw new OperatorError(
      `The data in ${clusterDir} belongs to user ${dataOwner.uid}: start the server as that user ` +
        `or as root, or run chown -R ${self} on the folder as root.`,
    );
  }
  const owner =
    dataOwner && dataOwner.uid !== 0
      ? { uid: dataOwner.uid, gid: dataOwner.gid }
      : await findUnprivilegedUser();
  for (const capability of [null, "dac_read_search", "dac_override"]) {
    const user = { ...ourselves, owner, prefix: capability ? setpriv(owner, capability) : [] };
    if (await canRun(user, binaries.postgres, path.dirname(clusterDir))) return user;
  }
  throw new OperatorError(
    `Postgres does not run as root, and user ${owner.uid} cannot reach ${binaries.postgres} and ` +
      `${path.dirname(clusterDir)}: start the server as a normal user, move it to folders that all ` +
      "users can enter, or set DATABASE_URL to a Postgres server.",
  );
}

/** Starts a program as `user`, without our environment and its secrets. */
export function spawnAs(
  user: PostgresUser,
  command: [string, ...string[]],
  options: Pick<SpawnOptions, "detached" | "stdio">,
) {
  const [file, ...args] = [...user.prefix, ...command] as [string, ...string[]];
  return spawn(file, args, {
    ...options,
    ...(user.prefix.length === 0 && user.owner),
    cwd: "/",
    env: {
      PATH: "/usr/local/bin:/usr/bin:/bin",
      LC_ALL: "C",
      NODE_ENV: "production", // only for Next.js's types
      ...(user.libraryPath && {
        LD_LIBRARY_PATH: user.libraryPath,
        DYLD_LIBRARY_PATH: user.libraryPath,
      }),
    },
  });
}

/** Changes the owner of a file or folder, recursively. */
export async function chownTree(user: PostgresUser, entry: string): Promise<void> {
  if (!user.owner) return;
  if ((await lstat(entry)).isDirectory()) {
    for (const name of await readdir(entry)) await chownTree(user, path.join(entry, name));
  }
  await chown(entry, user.owner.uid, user.owner.gid);
}

async function findUnprivilegedUser(): Promise<{ uid: number; gid: number }> {
  const lines = (await readFile("/etc/passwd", "utf8").catch(() => "")).split("\n");
  for (const wanted of ["postgres", "_postgres", "nobody"]) {
    const [, , uid, gid] = lines.find((line) => line.startsWith(`${wanted}:`))?.split(":") ?? [];
    if (Number(uid) > 0) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new OperatorError(
    "Postgres does not run as root, and this machine has no user named postgres or nobody: start " +
      "the server as a normal user, or set DATABASE_URL to a Postgres server.",
  );
}

/**
 * The binaries or the data may be below a folder that only root can enter, such as a clone in
 * /root; one capability gives the other user access. `no_setuid_fixup` makes access(2) honour it,
 * which initdb uses to find its programs (capabilities(7), "Effect of user ID changes").
 */
function setpriv(owner: { uid: number; gid: number }, capability: string): string[] {
  return [
    "setpriv",
    `--reuid=${owner.uid}`,
    `--regid=${owner.gid}`,
    "--clear-groups",
    `--inh-caps=-all,+${capability}`,
    `--ambient-caps=-all,+${capability}`,
    "--securebits=+no_setuid_fixup",
  ];
}

async function canRun(user: PostgresUser, postgres: string, dataDir: string): Promise<boolean> {
  const script = '"$0" --version >/dev/null && cd -- "$1"';
  const child = spawnAs(user, ["/bin/sh", "-c", script, postgres, dataDir], { stdio: "ignore" });
  const [code] = await once(child, "exit").catch(() => [1]);
  return code === 0;
}
