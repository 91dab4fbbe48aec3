import { once } from "node:events";
import { createServer } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "playwright/test";
import { drain, QUIET_WAIT_MS_MAX } from "@/server/stop";

test("A server that never gets a pause closes in a turn in which nothing arrives", async () => {
  const server = createServer().removeAllListeners("connection").listen(0, "127.0.0.1");
  await once(server, "listening");
  const started = performance.now();
  const drained = drain(server, [server]);
  // Requests until shortly before the last moment, then one in each turn until after it.
  while (performance.now() < started + QUIET_WAIT_MS_MAX - 200) {
    server.emit("request");
    await pause(100);
  }
  const closed = await new Promise<boolean>((resolve) => {
    let seen = performance.now();
    const arrive = () => {
      const now = performance.now();
      const stalled = now - seen > 100;
      seen = now;
      // The server waits for half a second only, so a stall of the machine proves nothing.
      if (!server.listening) return resolve(!stalled);
      server.emit("connection");
      if (now > started + QUIET_WAIT_MS_MAX + 100) resolve(false);
      else setImmediate(arrive);
    };
    arrive();
  });
  expect(closed).toBe(false);
  await drained;
  expect(server.listening).toBe(false);
});
