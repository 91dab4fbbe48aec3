import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { freePort } from "./servers";

const PLACES = ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer", "/opt/homebrew/bin/pgbouncer"];
const NOBODY = 65_534;

/** Undefined where it is not installed: its tests are skipped. */
export function pgbouncerPath(): string | undefined {
  return PLACES.find((place) => fs.existsSync(place));
}

/**
 * Starts PgBouncer before the database of `url`, with its files in `folder`. `transactions` and
 * `sessions` lead through it, one pooled by transaction and one by session.
 */
export async function startPgbouncer(url: string, folder: string) {
  const program = pgbouncerPath();
  if (!program) throw new Error("There is no pgbouncer.");
  const { hostname, port, username, password, pathname } = new URL(url);
  const target = `host=${hostname} port=${port} dbname=${pathname.slice(1)} user=${username} password=${password}`;
  const ownPort = await freePort();
  const file = path.join(folder, "pgbouncer.ini");
  fs.writeFileSync(
    file,
    `[databases]
transactions = ${target} pool_mode=transaction
sessions = ${target} pool_mode=session
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${ownPort}
unix_socket_dir =
auth_type = any
`,
  );
  const asNobody = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  const child = spawn(program, [file], { stdio: ["ignore", "pipe", "pipe"], ...asNobody });
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  let output = "";
  await new Promise<void>((resolve, reject) => {
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
      output += chunk;
      if (output.includes("process up")) resolve();
    });
    child.once("error", reject);
    void exited.then(() => reject(new Error(`PgBouncer ended:\n${output}`)));
  });
  const through = (name: string) => `postgresql://${username}@127.0.0.1:${ownPort}/${name}`;
  return {
    transactions: through("transactions"),
    sessions: through("sessions"),
    output: () => output,
    async stop() {
      child.kill("SIGINT");
      await exited;
    },
  };
}
