import { setTimeout as pause } from "node:timers/promises";
import { argumentsOf } from "../../scripts/arguments.mjs";
import { randomText } from "../support/keys";
import { freePort } from "../support/servers";
import { startTarget } from "../support/target";
import { Client } from "./client";
import { openCluster, openEmbedded } from "./database";
import { disturb, failOver } from "./faults";
import { Fleet, Member } from "./fleet";
import { Ledger } from "./ledger";
import { problemsOf, type Result, reportOf, writeReport } from "./report";
import { age, SAMPLE_MS, type Sample, takeSample } from "./samples";
import * as workloads from "./workloads";

const USAGE = `Usage: npm run soak -- [--minutes 10] [--failover] [--write]

Mixed load on three servers with one database, while two of them are killed and restarted. With
--failover the database is two Postgres servers under Patroni, and its primary is killed in the
middle. Prints a report, which --write puts into docs/proof.md.`;

const { values } = argumentsOf(USAGE, {
  options: {
    minutes: { type: "string", default: "10" },
    failover: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
  },
});
const minutes = Number(values.minutes);

const database = await (values.failover ? openCluster() : openEmbedded());
const arrived = new Set<string>();
const target = await startTarget((response, { headers }) => {
  arrived.add(String(headers["webhook-id"]));
  target.received.length = 0; // the bodies of an hour are too many
  response.end("ok");
});
const members: Member[] = [];
const result = await run().finally(async () => {
  await Promise.all(members.map((member) => member.stop()));
  await target.stop();
  await database.close();
});
const report = reportOf(result);
console.log(report);
if (values.write) writeReport(report);
const problems = problemsOf(result);
for (const problem of problems) console.error(problem);
process.exit(problems.length === 0 ? 0 : 1);

async function run(): Promise<Result> {
  const environment = {
    DATABASE_URL: database.url,
    SERVER_SECRET: randomText(40),
    DISPATCH_INTERVAL_SECONDS: "1",
    SHUTDOWN_DELAY_SECONDS: "1",
  };
  const start = async (name: string, more: Record<string, string> = {}) => {
    const member = new Member(name, await freePort(), { ...environment, ...more });
    members.push(member);
    await member.untilReady();
    return member;
  };
  // The first builds, if there is no build.
  const steady = await start("the steady server");
  const several = await start("the server with two processes", { WEB_CONCURRENCY: "2" });
  const one = await start("the server with one process");
  const client = new Client(new Fleet(members), await database.makeKey("soak"));
  const ledger = new Ledger();
  const began = performance.now();
  const isOver = () => performance.now() - began > minutes * 60_000;
  const soak = { client, ledger, target, arrived, isOver };

  const checking = ledger.run();
  const [faults, failovers, samples] = await Promise.all([
    disturb([several, one], isOver),
    failOver(database, minutes * 30_000),
    sampleUntil(isOver, () =>
      takeSample(database.db, steady, { began, acknowledged: ledger.total }),
    ),
    ...Array.from({ length: 4 }, () => workloads.writeTasks(soak)),
    workloads.publishArtifacts(soak),
    ...Array.from({ length: 3 }, () => workloads.captureRequests(soak)),
    workloads.captureRequests(soak, `${target.url}/forward`),
    workloads.runQueue(soak),
    workloads.sendMessages(soak),
    workloads.leaseTasks(soak),
    workloads.read(soak),
  ]);
  ledger.close();
  await checking;
  return {
    minutes,
    database: database.name,
    client,
    ledger,
    faults: { ...faults, ...failovers },
    samples,
  };
}

async function sampleUntil(isOver: () => boolean, take: () => Promise<Sample>): Promise<Sample[]> {
  const samples: Sample[] = [];
  while (!isOver()) {
    await pause(SAMPLE_MS);
    try {
      await age(database.db);
      samples.push(await take());
    } catch (error) {
      console.error(`No sample: ${error}`); // as during a failover
    }
  }
  return samples;
}
