import http from "node:http";
import { openEventStream } from "../support/event-stream";
import { expect, test } from "../support/fault-fixtures";
import { apiOf, call } from "../support/http";
import { randomText } from "../support/keys";
import { hasNginx } from "../support/nginx";
import { freePort, pause, type RunningServer } from "../support/servers";
import { eventIdOf, makeEndpoint, readEvent } from "../support/webhooks";

/** One in the suite; `ROLLS=10 npx playwright test …` for ten in a row. */
const ROLLS = Number(process.env.ROLLS ?? 1);
const CLIENTS = 8;

test("Two servers behind nginx take all headers that one takes, and restart one after the other under load without a failed request", async ({
  folder,
  start,
  startNginx,
}) => {
  test.skip(!hasNginx(), "nginx is not installed");
  const startOn = (port: number) => start({ SHUTDOWN_DELAY_SECONDS: "1" }, port);
  const ports: [number, number] = [await freePort(), await freePort()];
  const servers = await Promise.all(ports.map(startOn));
  const nginx = await startNginx(folder, ports);
  const api = apiOf(nginx.url);
  const { id } = await makeEndpoint(api);
  const capture = (...lengths: number[]) => {
    const long = lengths.map((length, n) => [`x-long-${n}`, "x".repeat(length)]);
    const headers = { "x_signature.v1": "y", ...Object.fromEntries(long) };
    const options = { raw: "x", headers };
    return call(nginx.url, "POST", `/api/catch/${id}`, options);
  };
  const event = await readEvent(api, id, eventIdOf(await capture(20_000)));
  expect(event.headers["x-long-0"]).toHaveLength(20_000);
  expect(event.headers["x_signature.v1"]).toBe("y");
  const tooMany = await capture(35_000, 35_000);
  expect([tooMany.status, tooMany.body.error.code]).toEqual([431, "payload_too_large"]);
  const tooLong = await capture(70_000);
  expect([tooLong.status, tooLong.text]).toEqual([400, expect.stringContaining("Too Large")]);
  const load = await startLoad(nginx.url);
  for (let roll = 0; roll < ROLLS; roll += 1) {
    for (const [index, port] of ports.entries()) {
      await stopInOrder(servers[index]);
      const before = load.answeredBy(port);
      servers[index] = await startOn(port);
      // In production the delay of the next server is long enough for that.
      await expect.poll(() => load.answeredBy(port)).toBeGreaterThan(before);
    }
    expect(load.failures, nginx.errors()).toEqual([]);
  }
  await load.stop();
  expect(load.failures).toEqual([]);
  const counts = ports.map(load.answeredBy).join(" and ");
  console.log(`${ROLLS} rolling restarts, ${counts} requests answered`);
});

test("nginx sends a DELETE of all events or share links to one server only, and logs no path", async ({
  folder,
  startTarget,
  startNginx,
}) => {
  test.skip(!hasNginx(), "nginx is not installed");
  const received: string[] = [];
  const startLossy = () =>
    startTarget((response, { method, path }) => {
      if (method !== "DELETE") return response.end();
      received.push(path);
      return response.destroy();
    });
  const [one, other] = [await startLossy(), await startLossy()];
  const nginx = await startNginx(folder, [one.port, other.port]);
  const paths = ["/api/webhooks/wh_1/events?method=GET", "/api/artifacts/art_1/share"];
  for (const path of paths) {
    expect((await fetch(`${nginx.url}${path}`, { method: "DELETE" })).status).toBe(502);
  }
  expect(received).toEqual(paths);
  await nginx.stop();
  expect(nginx.logged()).toBe("");
});

async function stopInOrder(server: RunningServer | undefined) {
  server?.kill("SIGTERM");
  expect(await server?.exited).toEqual({ code: 0, signal: null });
}

/** Clients that write and read through `url`, each on a connection that stays open, and a stream. */
async function startLoad(url: string) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: CLIENTS + 2 });
  const failures: string[] = [];
  const answered = new Map<string, number>();
  let over = false;

  async function send(method: string, path: string, expected: number, body?: unknown) {
    const started = performance.now();
    const response = await request(agent, `${url}${path}`, method, body).catch((error) => error);
    if (response.status === expected) {
      // After a retry: "127.0.0.1:3001, 127.0.0.1:3002".
      const port = /\d+$/.exec(response.upstream)?.[0] ?? "";
      answered.set(port, (answered.get(port) ?? 0) + 1);
    } else {
      const ms = Math.round(performance.now() - started);
      failures.push(
        `${method} ${path}: ${response.status ?? response} after ${ms} ms, ${String(response.text).slice(0, 200)}`,
      );
    }
    return response.text;
  }
  const create = async (path: string) =>
    JSON.parse(await send("POST", path, 201, { name: "under load" })).id as string;

  const task = await create("/api/tasks");
  const [endpoint, unused] = [await create("/api/webhooks"), await create("/api/webhooks")];
  const rounds = Array.from({ length: CLIENTS }, async (_, client) => {
    while (!over) {
      await send("POST", `/api/catch/${endpoint}`, 200, { client });
      await send("GET", `/api/tasks/${task}`, 200);
      await send("POST", "/api/tasks", 201, { name: "x" });
      await send("PATCH", `/api/tasks/${task}`, 200, { description: randomText(8) });
      await pause(50);
    }
  });
  rounds.push(
    (async () => {
      while (!over) await send("GET", `/api/webhooks/${unused}/events?since=wev_0&wait=5`, 200);
    })(),
    (async () => {
      for (; !over; await pause(100)) await send("GET", "/sign-in", 200);
    })(),
  );
  const follow = async () => {
    while (!over) {
      const stream = await openEventStream(url, `/api/webhooks/${endpoint}/events/stream`);
      if (stream.status !== 200) failures.push(`stream: ${stream.status}`);
      await Promise.race([stream.ended, ended]);
      stream.close();
    }
  };
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  rounds.push(follow());
  return {
    failures,
    answeredBy: (port: number) => answered.get(String(port)) ?? 0,
    async stop() {
      over = true;
      end();
      await Promise.all(rounds);
      agent.destroy();
    },
  };
}

function request(agent: http.Agent, url: string, method: string, body?: unknown) {
  return new Promise<{ status: number; upstream: string; text: string }>((resolve, reject) => {
    const headers = body === undefined ? {} : { "content-type": "application/json" };
    const sent = http.request(url, { method, agent, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => {
        text += part;
      });
      response.on("error", reject).on("end", () => {
        const upstream = String(response.headers.upstream);
        resolve({ status: response.statusCode ?? 0, upstream, text });
      });
    });
    sent.on("error", reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
