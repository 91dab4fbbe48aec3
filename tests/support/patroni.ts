import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { choosePostgresUser, chownTree, spawnAs } from "@/lib/platform/embedded-postgres/user";
import { etcdCommand, untilEtcdDecides } from "./etcd";
import { freePort, isRunning, pause, postmasterPid, ROOT } from "./servers";
import { startTcpProxy } from "./tcp-proxy";

const PROGRAMS = ["/usr/bin/patroni", "/usr/bin/etcd", "/usr/sbin/haproxy"];
const DEBIAN_VERSIONS = "/usr/lib/postgresql";
export const MISSING =
  "Patroni is not installed; on Debian: apt-get install patroni etcd-server haproxy postgresql";
const PASSWORD = "of-a-test";
/** Only a cluster that is stuck takes as long. */
const WAIT_MS_MAX = 120_000;
const ASK_MS_MAX = 15_000;

/** The newest Postgres that Debian's packages have installed. */
function postgresBin(): string | undefined {
  if (!fs.existsSync(DEBIAN_VERSIONS)) return undefined;
  return fs
    .readdirSync(DEBIAN_VERSIONS)
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => path.join(DEBIAN_VERSIONS, version, "bin"))
    .find((bin) => fs.existsSync(path.join(bin, "pg_basebackup")));
}

/** Where one of them is not installed, the tests are skipped. */
export function hasPatroni(): boolean {
  return PROGRAMS.every((program) => fs.existsSync(program)) && postgresBin() !== undefined;
}

/**
 * Starts two Postgres servers under Patroni with etcd, and HAProxy before them, configured as in
 * `deploy/failover` with shorter times, on loopback. `url` leads to the primary, `replicaUrl` to the standby.
 */
export async function startCluster(folder: string) {
  if (!hasPatroni()) throw new Error(MISSING);
  const bin = postgresBin() ?? "";
  const binaries = { initdb: "", postgres: path.join(bin, "postgres"), libraryPath: null };
  const user = await choosePostgresUser(binaries, path.join(folder, "none"));
  const started: ChildProcess[] = [];
  const own = (name: string) => {
    const made = path.join(folder, name);
    fs.mkdirSync(made, { mode: 0o700 });
    return made;
  };
  const logOf = (name: string) => path.join(folder, `${name}.log`);
  const run = (name: string, command: [string, ...string[]]) => {
    const log = fs.openSync(logOf(name), "a");
    const child = spawnAs(user, command, { stdio: ["ignore", log, log] });
    fs.closeSync(log);
    started.push(child);
    return child;
  };

  const [etcdPort, etcdPeer] = [await freePort(), await freePort()];
  const [port, replicaPort] = [await freePort(), await freePort()];
  const etcdData = own("etcd");
  await chownTree(user, etcdData);
  run("etcd", etcdCommand(etcdData, etcdPort, etcdPeer));

  const makeNode = async (name: string) => {
    const [postgres, api] = [await freePort(), await freePort()];
    const local = (port: number) => startTcpProxy(`postgres://127.0.0.1:${port}`);
    // All that this machine says to the others, and they to it.
    const proxies = await Promise.all([local(postgres), local(api), local(etcdPort)]);
    const [toPostgres, toApi, toEtcd] = proxies.map(({ url }) => `127.0.0.1:${new URL(url).port}`);
    const home = own(name);
    const postmaster = () => postmasterPid(home, "data");
    const file = path.join(home, "patroni.yml");
    const text = configuration("patroni.yml")
      .replace("name: db1", `name: ${name}`)
      .replace("connect_address: 10.0.0.11:8008", `connect_address: ${toApi}`)
      .replace("connect_address: 10.0.0.11:5432", `connect_address: ${toPostgres}`)
      .replace("listen: 10.0.0.11:8008", `listen: 127.0.0.1:${api}`)
      .replace("listen: 10.0.0.11:5432", `listen: 127.0.0.1:${postgres}`)
      .replace(/hosts: .*/, `hosts: ["${toEtcd}"]\n  use_proxies: true`)
      .replace("ttl: 20", "ttl: 9")
      .replace("loop_wait: 5", "loop_wait: 1")
      .replace("retry_timeout: 5", "retry_timeout: 4")
      // Only a crash of the machine would need the disk.
      .replace("max_connections: 200", 'fsync: "off"')
      .replace("- data-checksums", "- no-sync")
      .replace(/bin_dir: .*/, `bin_dir: ${bin}`)
      .replace(/data_dir: .*/, `data_dir: ${path.join(home, "data")}`)
      .replace(/pgpass: .*/, `pgpass: ${path.join(home, "pgpass")}`)
      .replace(/unix_socket_directories: .*/, `unix_socket_directories: ${home}`)
      .replace(/REPLACE-\d/g, PASSWORD)
      .replaceAll("10.0.0.0/24", "127.0.0.0/8");
    fs.writeFileSync(file, text);
    await chownTree(user, home);
    const begin = () => run(name, ["/usr/bin/patroni", file]);
    let patroni = begin();
    return {
      name,
      postgres,
      api,
      url: `postgresql://postgres:${PASSWORD}@127.0.0.1:${postgres}/postgres`,
      postmaster,
      /** As when the machine is switched off and its connections are reset. */
      async kill() {
        const pid = postmaster();
        patroni.kill("SIGKILL");
        if (pid !== undefined && isRunning(pid)) process.kill(pid, "SIGKILL");
        await ended(patroni);
        await until(
          `the Postgres of ${name} has ended`,
          async () => pid === undefined || !isRunning(pid),
        );
      },
      start() {
        patroni = begin();
      },
      /** Until `letManage`, Patroni does not undo what is done to its Postgres. */
      stopManaging: () => patroni.kill("SIGSTOP"),
      letManage: () => patroni.kill("SIGCONT"),
      /** Cuts the network between this machine and all others but HAProxy's. */
      isolate() {
        for (const proxy of proxies) proxy.freeze();
      },
      rejoin() {
        for (const proxy of proxies) proxy.thaw();
      },
      /** Cuts only what the other Postgres reads from this one. */
      stopReplication: () => proxies[0]?.freeze(),
      resumeReplication: () => proxies[0]?.thaw(),
      async stop() {
        await this.kill();
        await Promise.all(proxies.map((proxy) => proxy.close()));
      },
    };
  };
  await untilEtcdDecides(etcdPort);
  const nodes = await Promise.all([makeNode("db1"), makeNode("db2")]);

  const file = path.join(folder, "haproxy.cfg");
  let text = configuration("haproxy.cfg");
  for (const [index, node] of nodes.entries()) {
    text = text.replaceAll(
      `10.0.0.1${index + 1}:5432`,
      `127.0.0.1:${node.postgres} port ${node.api}`,
    );
  }
  fs.writeFileSync(
    file,
    text
      .replace(/ {2}(user|group) haproxy\n/g, "")
      .replace("bind 127.0.0.1:5432", `bind 127.0.0.1:${port}`)
      .replace("bind 127.0.0.1:5433", `bind 127.0.0.1:${replicaPort}`),
  );
  const log = fs.openSync(logOf("haproxy"), "a");
  const haproxy = spawn("/usr/sbin/haproxy", ["-f", file], { stdio: ["ignore", log, log] });
  started.push(haproxy);

  type Node = (typeof nodes)[number];
  const ask = async (node: Node, path: string, init: RequestInit = {}) => {
    try {
      const signal = AbortSignal.timeout(ASK_MS_MAX);
      const response = await fetch(`http://127.0.0.1:${node.api}/${path}`, { ...init, signal });
      return { status: response.status, text: await response.text() };
    } catch {
      return { status: 0, text: "" }; // it is gone or silent
    }
  };
  const asRole = async (role: string) => {
    for (const node of nodes) if ((await ask(node, role)).status === 200) return node;
    return undefined;
  };
  /** What each Patroni says, and the ends of the logs. */
  const report = async () => {
    const said = nodes.map(
      async (node) => `${node.name}: ${(await ask(node, "patroni")).text || "no answer"}`,
    );
    const logs = [...nodes.map(({ name }) => name), "haproxy", "etcd"].map(
      (name) => `${name}.log:\n${fs.readFileSync(logOf(name), "utf8").slice(-2000)}`,
    );
    return [...(await Promise.all(said)), ...logs].join("\n");
  };
  /** Waits until `probe` returns something, or throws after two minutes. */
  async function until<Found>(
    what: string,
    probe: () => Promise<Found | false | undefined>,
  ): Promise<Found> {
    const deadline = performance.now() + WAIT_MS_MAX;
    for (;;) {
      const found = await probe();
      if (found) return found;
      if (performance.now() > deadline) {
        throw new Error(`Not within ${WAIT_MS_MAX / 1000} s: ${what}\n${await report()}`);
      }
      await pause(100);
    }
  }
  return {
    url: `postgresql://postgres:${PASSWORD}@127.0.0.1:${port}/postgres`,
    replicaUrl: `postgresql://postgres:${PASSWORD}@127.0.0.1:${replicaPort}/postgres`,
    /** Waits until `node` is the primary. */
    promoted: (node: Node) =>
      until(`${node.name} is the primary`, async () => (await asRole("primary")) === node),
    /** Waits until etcd no longer names a leader, as `node` sees it. */
    leaderless: (node: Node) =>
      until("the turn of the primary is over", async () => {
        const { status, text } = await ask(node, "cluster");
        return status === 200 && !text.includes("leader");
      }),
    /** Whether the node says that it is the primary. */
    isPrimary: async (node: Node) => (await ask(node, "primary")).status === 200,
    /** Waits until one node is the primary and the other its synchronous standby. */
    whenComplete: () =>
      until("one is the primary and the other its synchronous standby", async () => {
        const [primary, standby] = await Promise.all([asRole("primary"), asRole("synchronous")]);
        return primary && standby && primary !== standby && { primary, standby };
      }),
    /** Waits until the primary writes without a standby. */
    whenAlone: (primary: Node) =>
      until("the primary goes on alone", async () => {
        const { status, text } = await ask(primary, "cluster");
        return status === 200 && !text.includes("sync_standby");
      }),
    /** Plans a change of the primary, as `patronictl switchover` does. */
    async switchover(primary: Node, standby: Node) {
      const body = JSON.stringify({ leader: primary.name, candidate: standby.name });
      const { status, text } = await ask(primary, "switchover", { method: "POST", body });
      if (status !== 200) throw new Error(`Patroni does not switch over: ${status} ${text}`);
    },
    async stop() {
      await Promise.all(nodes.map((node) => node.stop()));
      for (const child of started) child.kill("SIGKILL");
      await Promise.all(started.map(ended));
    },
  };
}

function configuration(name: string): string {
  return fs.readFileSync(path.join(ROOT, "deploy/failover", name), "utf8");
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
}
