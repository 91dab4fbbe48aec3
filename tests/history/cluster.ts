import { setTimeout as pause } from "node:timers/promises";
import { makeKey, type Stage } from "../../bench/stage";
import { Fleet, Member } from "../soak/fleet";
import { randomText } from "../support/keys";
import { freePort } from "../support/servers";
import { startTcpProxy } from "../support/tcp-proxy";
import type { Log } from "./log";

type Proxy = Awaited<ReturnType<typeof startTcpProxy>>;

/** A server with a proxy before it, where clients come in, and one between it and the database. */
interface Site {
  member: Member;
  front: Proxy;
  database: Proxy;
}

const HOUR_MS = 3_600_000;
/** So many connections are cut in the middle of a request. */
const CUT_SHARE = 0.02;
const CUT_MS_MAX = 40;

/** Two servers on one database, and the faults that befall them. */
export class Cluster {
  readonly stage: Stage;
  readonly fleet: Fleet;
  private readonly sites: readonly [Site, Site];

  private constructor(stage: Stage, sites: [Site, Site]) {
    this.stage = stage;
    this.sites = sites;
    this.fleet = new Fleet(sites.map(({ member }) => member));
  }

  /** Starts them; `imports` are loaded by both before the server. */
  static async open(stage: Stage, imports: readonly string[] = [], more = {}): Promise<Cluster> {
    const secret = randomText(40);
    const start = async (name: string, stepMs: number): Promise<Site> => {
      const database = await startTcpProxy(stage.url);
      const port = await freePort();
      const environment = {
        DATABASE_URL: database.url,
        SERVER_SECRET: secret,
        DISPATCH_INTERVAL_SECONDS: "1",
        INBOX_MAX_DELIVERIES: "1000",
        CLOCK_STEP_MS: String(stepMs),
        ...more,
      };
      const argv = [...imports, "./tests/support/moved-clock.mjs"].flatMap((file) => [
        "--import",
        file,
      ]);
      const member = new Member(name, port, environment, argv);
      const front = await startTcpProxy(`http://localhost:${port}`, (client) => {
        if (Math.random() >= CUT_SHARE) return;
        setTimeout(() => client.destroy(), Math.random() * CUT_MS_MAX);
      });
      await member.untilReady();
      return { member, front, database };
    };
    // One after the other: the first builds, if there is no build.
    return new Cluster(stage, [await start("one", HOUR_MS), await start("two", -HOUR_MS)]);
  }

  urlOf(member: Member): string {
    const site = this.sites.find((one) => one.member === member);
    if (!site) throw new Error(`${member.name} is of another cluster.`);
    return site.front.url;
  }

  makeKey(name: string): Promise<string> {
    return makeKey(this.stage.db, name);
  }

  /** Brings one fault after the other until `isOver`, and undoes the last. The next run finds the clocks right. */
  async disturb(random: () => number, log: Log, isOver: () => boolean) {
    const between = (least: number, most: number) => least + random() * (most - least);
    const faults: Record<string, (site: Site) => Promise<void>> = {
      kill: ({ member }) => member.kill(),
      restart: ({ member }) => member.restart(),
      freeze: ({ member }) => member.freeze(between(300, 4000)),
      "cut from clients": async ({ front }) => {
        front.cut();
        await pause(between(100, 1000));
        front.mend();
      },
      "cut from the database": async ({ database }) => {
        database.cut();
        await pause(between(50, 1500));
        database.mend();
      },
      "slow database": async ({ database }) => {
        database.freeze();
        await pause(between(300, 3000));
        database.thaw();
      },
      "clock step": async ({ member }) => member.server.kill("SIGUSR2"),
      "lost connections": async () => {
        await this.stage.db.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND pid <> pg_backend_pid()`);
      },
    };
    const bring = async (name: string, site: Site) => {
      const server = site.member.name;
      const entry = log.begin({ client: "faults", op: "fault", on: name, server });
      await faults[name]?.(site);
      await site.member.untilReady();
      log.end(entry, "ok");
    };
    const names = Object.keys(faults);
    const moved = new Set<Site>();
    // First a while without any, in which order can be judged.
    for (let wait = 5000; ; wait = between(500, 3500)) {
      await pause(wait);
      if (isOver()) break;
      const name = names[Math.floor(random() * names.length)] ?? "";
      const site = this.sites[random() < 0.5 ? 0 : 1];
      await bring(name, site);
      if (name === "clock step") moved.add(site);
    }
    for (const site of moved) await bring("restart", site);
  }

  async close() {
    for (const { member, front, database } of this.sites) {
      await member.stop();
      await front.close();
      await database.close();
    }
  }
}
