import { setTimeout as pause } from "node:timers/promises";
import { launchServer, processesOf, type RunningServer } from "../support/servers";

/** How often a server's readiness is read, as a load balancer does. */
const CHECK_MS = 100;
/** A killed process may have connections that its clients notice a little later. */
const AFTERMATH_MS = 2000;
const START_MS_MAX = 180_000;

/** A server that is killed and restarted, on one port. */
export class Member {
  readonly name: string;
  readonly port: number;
  /** Whether `/readyz` answered 200 when last asked. */
  isReady = false;
  server: RunningServer;
  private readonly environment: Record<string, string>;
  /** Of Node.js, before the script. */
  private readonly argv: readonly string[];
  private killedAt = Number.NEGATIVE_INFINITY;
  private isRunning = true;

  constructor(
    name: string,
    port: number,
    environment: Record<string, string>,
    argv: readonly string[] = [],
  ) {
    this.name = name;
    this.port = port;
    this.environment = environment;
    this.argv = argv;
    this.server = this.launch();
    void this.watch();
  }

  /** Whether a request that began then may have been cut by a kill. */
  wasKilledSince(began: number): boolean {
    return this.killedAt > began - AFTERMATH_MS;
  }

  /** Kills one of several processes, which the leader replaces. */
  async killProcess() {
    const [pid] = processesOf(this.server);
    if (pid === undefined) throw new Error(`${this.name} has one process only.`);
    this.killedAt = performance.now();
    process.kill(pid, "SIGKILL");
  }

  /** Kills the server and starts it again. */
  async kill() {
    this.killedAt = performance.now();
    this.server.kill("SIGKILL");
    await this.server.exited;
    this.killedAt = performance.now();
    this.isReady = false;
    await this.startAgain();
  }

  /** Stops the server in order and starts it again. */
  async restart() {
    this.server.kill("SIGTERM");
    const { code, signal } = await this.server.exited;
    if (code !== 0) throw new Error(`${this.name} ended with ${code ?? signal}.`);
    await this.startAgain();
  }

  /** Stops every thread of the server for a while. */
  async freeze(milliseconds: number) {
    const { server } = this;
    server.kill("SIGSTOP");
    await pause(milliseconds);
    server.kill("SIGCONT");
  }

  async stop() {
    this.isRunning = false;
    await this.server.stop();
  }

  private launch() {
    return launchServer([...this.argv, "scripts/start.mjs"], this.port, this.environment);
  }

  private async startAgain() {
    this.server = this.launch();
    await this.untilReady();
  }

  /** Throws with the output after a while. */
  async untilReady() {
    const deadline = performance.now() + START_MS_MAX;
    while (!this.isReady) {
      if (performance.now() > deadline) {
        throw new Error(`${this.name} is not ready:\n${this.server.output()}`);
      }
      await pause(CHECK_MS);
    }
  }

  private async watch() {
    while (this.isRunning) {
      this.isReady = await this.server.api("GET", "/readyz").then(
        ({ status }) => status === 200,
        () => false,
      );
      await pause(CHECK_MS);
    }
  }
}

/** Sends each request to the next ready server. */
export class Fleet {
  readonly members: readonly Member[];
  private turn = 0;

  constructor(members: readonly Member[]) {
    this.members = members;
  }

  /** Waits while no server is ready. */
  async pick(): Promise<Member> {
    for (;;) {
      const ready = this.members.filter(({ isReady }) => isReady);
      this.turn += 1;
      const member = ready[this.turn % ready.length];
      if (member) return member;
      await pause(CHECK_MS);
    }
  }
}
