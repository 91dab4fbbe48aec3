import { execFileSync, spawn } from "node:child_process";
import { once as event } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { cookieOf, makePerson } from "../../tests/support/people";
import { freePort } from "../../tests/support/servers";
import { compare } from "../compare";
import { megabytesOf } from "../cpu";
import { once, type Request } from "../load";
import { makeKey, type Stage } from "../stage";
import { onConnections, type Table } from "../table";
import { median } from "../times";

const NEXT = "node_modules/next/dist/bin/next";
const EMPTY = "bench/peers/next-app";
const STARTS = 7;

/** What `next start` serves, as on Vercel, and the pages, beside an empty Next app. */
export async function next(stage: Stage, table: Table) {
  execFileSync(process.execPath, [NEXT, "build", EMPTY], { stdio: "ignore" });
  const start = (name: string, folder: string) =>
    stage.start(name, process.execPath, argumentsFor(folder), { DATABASE_URL: stage.url });
  const empty = await start("empty Next app", EMPTY);
  const own = await start("`next start`", ".");
  const service = await stage.service();
  const key = await makeKey(stage.db, "next");
  const withKey = { Authorization: `Bearer ${key}` };
  const body = '{"name":"bench"}';
  const json = { "Content-Type": "application/json" };
  const make = async (path: string, headers: Record<string, string>) =>
    JSON.parse(await once(service.port, { method: "POST", path, headers, body })).id as string;
  const open = `/api/tasks/${await make("/api/tasks", json)}`;
  const owned = `/api/tasks/${await make("/api/tasks", { ...json, ...withKey })}`;
  const endpoint = await make("/api/webhooks", { ...json, ...withKey });

  const get = (path: string, headers = {}): Request => ({ method: "GET", path, headers });
  for (const connections of [1, 16]) {
    const [beside, without, keyed] = await compare([
      stage.repeating(empty, connections, get(open)),
      stage.repeating(own, connections, get(open)),
      stage.repeating(own, connections, get(owned, withKey)),
    ]);
    const on = onConnections(connections);
    table.row(`\`next start\`: GET a task, ${on}`, without, beside);
    table.row(`\`next start\`: GET a task with a key, ${on}`, keyed, beside);
  }

  const { id } = await makePerson(stage.db, "org_next");
  const cookie = await cookieOf(stage.db, id);
  const [page, overview, detail] = await compare([
    stage.repeating(empty, 1, get("/")),
    stage.repeating(service, 1, get("/dashboard", { cookie })),
    stage.repeating(service, 1, get(`/webhooks/${endpoint}`, { cookie })),
  ]);
  table.row("the overview, 1 connection", overview, page);
  table.row("an endpoint's page, 1 connection", detail, page);

  const starts = { own: [] as Started[], empty: [] as Started[] };
  for (let round = 0; round < STARTS; round++) {
    starts.empty.push(await startedOnce(EMPTY, open, stage.url));
    starts.own.push(await startedOnce(".", open, stage.url));
  }
  for (const [what, of] of [
    ["first answer after the start, ms", ({ ms }: Started) => ms],
    ["memory then, MB", ({ megabytes }: Started) => megabytes],
  ] as const) {
    const [here, beside] = [starts.own, starts.empty].map((all) => median(all.map(of)));
    table.smaller(`\`next start\`: ${what}`, here ?? 0, beside ?? 0, empty.name);
  }
}

interface Started {
  ms: number;
  megabytes: number;
}

/** Starts an app, waits for its first answer, and ends it. */
async function startedOnce(folder: string, path: string, url: string): Promise<Started> {
  const port = await freePort();
  const started = performance.now();
  const child = spawn(process.execPath, argumentsFor(folder)(port), {
    stdio: "ignore",
    env: { ...process.env, NODE_ENV: "production", DATABASE_URL: url },
  });
  try {
    while (child.exitCode === null) {
      const answer = await once(port, { method: "GET", path }).catch(() => undefined);
      if (answer !== undefined) {
        return { ms: performance.now() - started, megabytes: megabytesOf(child.pid ?? 0) };
      }
      await pause(5);
    }
    throw new Error(`next start ${folder} ended.`);
  } finally {
    child.kill("SIGKILL");
    if (child.exitCode === null && child.signalCode === null) await event(child, "exit");
  }
}

function argumentsFor(folder: string) {
  return (port: number) => [NEXT, "start", folder, "-H", "127.0.0.1", "-p", `${port}`];
}
