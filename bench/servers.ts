import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { migrate } from "@/lib/db/migrate";
import { startEmbeddedPostgres } from "@/lib/embedded-postgres/start";

export interface Running {
  name: string;
  port: number;
  pid: number;
}

/** A migrated database for one benchmark, and a function that removes it. */
export async function benchDatabase() {
  const dataDir = await mkdtemp(join(tmpdir(), "bench-"));
  const postgres = await startEmbeddedPostgres({ dataDir });
  await migrate({ url: postgres.url });
  return {
    url: postgres.url,
    async remove() {
      await postgres.stop();
      await rm(dataDir, { recursive: true });
    },
  };
}

/** Starts each server in its own process on a free port; `stop` ends them all. */
export function serverFarm(databaseUrl: string) {
  const children: ChildProcess[] = [];
  return {
    async start(
      name: string,
      args: (port: number) => string[],
      environment: Record<string, string> = {},
    ): Promise<Running> {
      const port = await freePort();
      const child = spawn(process.execPath, args(port), {
        stdio: ["ignore", "ignore", "inherit"],
        env: {
          ...process.env,
          NODE_ENV: "production",
          DATABASE_URL: databaseUrl,
          PORT: String(port),
          ...environment,
        },
      });
      children.push(child);
      await untilListening(port);
      return { name, port, pid: child.pid ?? 0 };
    },
    stop() {
      for (const child of children) child.kill();
    },
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}

async function untilListening(port: number) {
  for (let tries = 0; tries < 300; tries++) {
    const up = await fetch(`http://127.0.0.1:${port}/api/health`).catch(() => null);
    if (up) return;
    await sleep(100);
  }
  throw new Error(`Nothing listens on port ${port}.`);
}
