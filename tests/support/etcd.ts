import fs from "node:fs";
import path from "node:path";
import { pause, ROOT } from "./servers";

const START_MS_MAX = 120_000;

/** Starts etcd configured as in `deploy/failover`, alone, on loopback. */
export function etcdCommand(data: string, port: number, peerPort: number): [string, ...string[]] {
  const settings = fs
    .readFileSync(path.join(ROOT, "deploy/failover/etcd.env"), "utf8")
    .replaceAll("10.0.0.21:2379", `127.0.0.1:${port}`)
    .replaceAll("10.0.0.21:2380", `127.0.0.1:${peerPort}`)
    .replace(/,etcd2=.*/, "")
    .split("\n")
    .filter((line) => line.startsWith("ETCD_"));
  return ["/usr/bin/env", ...settings, "/usr/bin/etcd", "--data-dir", data, "--unsafe-no-fsync"];
}

/** Waits until etcd has decided on its version. Patroni ends if it asks before that. */
export async function untilEtcdDecides(port: number): Promise<void> {
  const deadline = performance.now() + START_MS_MAX;
  const isDecided = async () => {
    const response = await fetch(`http://127.0.0.1:${port}/version`).catch(() => undefined);
    const { etcdcluster = "not_decided" } = response?.ok ? await response.json() : {};
    return etcdcluster !== "not_decided";
  };
  while (!(await isDecided())) {
    if (performance.now() > deadline) throw new Error("etcd does not start.");
    await pause(100);
  }
}
