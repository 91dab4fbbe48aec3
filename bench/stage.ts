import { type ChildProcess, spawn } from "node:child_process";
import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { digestOf, newApiKey } from "@/lib/identity/keys/key-format";
import { migrate } from "@/lib/platform/db/migrate";
import { startEmbeddedPostgres } from "@/lib/platform/embedded-postgres/start";
import { freePort } from "../tests/support/servers";
import type { Contender } from "./compare";
import { type Request, repeat } from "./load";

/** A server that a subject started. */
export interface Running {
  name: string;
  port: number;
  pid: number;
}

/** What a subject runs on: a migrated database of its own, and the servers that it starts. */
export class Stage {
  readonly folder: string;
  readonly url: string;
  readonly postgresPid: number;
  readonly db: pg.Pool;
  readonly #stopPostgres: () => Promise<void>;
  readonly #children: ChildProcess[] = [];

  private constructor(folder: string, url: string, pid: number, stop: () => Promise<void>) {
    this.folder = folder;
    this.url = url;
    this.postgresPid = pid;
    // Filling tables takes longer than the role's statements may.
    this.db = new pg.Pool({ connectionString: url, max: 2, options: "-c statement_timeout=0" });
    // Idle connections end with Postgres.
    this.db.on("error", () => {});
    this.#stopPostgres = stop;
  }

  static async open(): Promise<Stage> {
    const folder = await mkdtemp(join(tmpdir(), "bench-"));
    await chmod(folder, 0o755); // as root, Postgres runs as another user
    const { url, stop } = await startEmbeddedPostgres({ dataDir: folder });
    await migrate({ url });
    const pid = Number.parseInt(
      await readFile(join(folder, "postgres/postmaster.pid"), "utf8"),
      10,
    );
    return new Stage(folder, url, pid, stop);
  }

  /** The service as `npm start` runs it, once it has shown a page: before Node 24, requests need more from then on. */
  async service(environment: Record<string, string> = {}): Promise<Running> {
    const running = await this.start("service", process.execPath, () => ["scripts/start.mjs"], {
      DATABASE_URL: this.url,
      DISPATCH_INTERVAL_SECONDS: "0",
      ...environment,
    });
    await (await fetch(`http://127.0.0.1:${running.port}/sign-in`)).text();
    return running;
  }

  /** A server of bench/peers/, which gets its port and these arguments. */
  peer(name: string, script: string, ...args: string[]): Promise<Running> {
    return this.start(name, process.execPath, (port) => [
      `bench/peers/${script}`,
      String(port),
      ...args,
    ]);
  }

  /** Any program that listens on a free port. */
  async start(
    name: string,
    program: string,
    args: (port: number) => string[],
    environment: Record<string, string> = {},
  ): Promise<Running> {
    const port = await freePort();
    const child = spawn(program, args(port), {
      stdio: ["ignore", "ignore", "inherit"],
      env: { ...process.env, NODE_ENV: "production", PORT: String(port), ...environment },
    });
    this.#children.push(child);
    await untilListening(port, child);
    return { name, port, pid: child.pid ?? 0 };
  }

  /** A contender that sends a server of this stage one request again and again. */
  repeating(
    { name: own, port, pid }: Running,
    connections: number,
    request: Request,
    name = own,
  ): Contender {
    const turn = () => repeat(port, connections, request);
    return { name, pid, storePid: this.postgresPid, turn };
  }

  async close() {
    for (const child of this.#children) await ended(child);
    await this.db.end();
    await this.#stopPostgres();
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Makes an organization and returns its key. */
export async function makeKey(db: pg.Pool, name: string): Promise<string> {
  const key = newApiKey();
  await db.query("INSERT INTO organizations (id, name) VALUES ($1, $1)", [`org_${name}`]);
  await db.query(
    `INSERT INTO api_keys (id, organization_id, name, digest, prefix, last_four, scopes)
     VALUES ($1, $2, 'bench', $3, 'svc_live_', '0000', '{api.read,api.write}')`,
    [`key_${name}`, `org_${name}`, digestOf(key)],
  );
  return key;
}

async function ended(child: ChildProcess) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = new Promise((resolve) => child.once("exit", resolve));
  child.kill();
  const forced = setTimeout(() => child.kill("SIGKILL"), 10_000);
  await exit;
  clearTimeout(forced);
}

async function untilListening(port: number, child: ChildProcess) {
  for (let tries = 0; tries < 600 && child.exitCode === null; tries++) {
    const isUp = await new Promise<boolean>((resolve) => {
      const socket = connect(port, "127.0.0.1", () => resolve(true));
      socket.once("error", () => resolve(false));
      socket.once("close", () => resolve(false));
      socket.once("connect", () => socket.destroy());
    });
    if (isUp) return;
    await pause(100);
  }
  throw new Error(`${child.spawnargs.join(" ")} does not listen on port ${port}.`);
}
