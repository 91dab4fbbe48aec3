import fc from "fast-check";
import { expect, QUIET, test } from "../support/fault-fixtures";
import type { ApiResponse } from "../support/http";
import { publicWebhookId } from "../support/messages";
import { freePort, type RunningServer } from "../support/servers";

/**
 * Random operations on messages, checked against a model of what may be sent when. Time advances by
 * moving all timestamps back; a tick is longer than every retry and lease.
 */

const TICK_SECONDS = 10_000;
const RUNS = Number(process.env.MODEL_RUNS ?? 3);
const SEED = Number(process.env.MODEL_SEED ?? Math.floor(Math.random() * 2 ** 31));

interface Known {
  id: string;
  /** The first tick at which it may be sent; never once it is delivered, canceled or deleted. */
  from: number;
  removed: boolean;
  attempts: number;
}

interface Model {
  now: number;
  messages: Known[];
}

type Mode = "up" | "down" | "failing" | "holding";

const never = Number.POSITIVE_INFINITY;

test(`In ${RUNS} random runs each message is sent in time, once per attempt, and none after its end`, async ({
  db,
  start,
  startTarget,
}) => {
  test.setTimeout(30 * 60_000);
  console.log(`MODEL_SEED=${SEED}`);
  const port = await freePort();
  let server: RunningServer = await start(QUIET, port);
  let mode: Mode = "up";
  const accepted = new Set<string>();
  const target = await startTarget((response, { headers }) => {
    if (mode === "down") response.destroy();
    else if (mode === "failing") response.writeHead(500).end();
    else if (mode === "up") {
      accepted.add(String(headers["webhook-id"]));
      response.end("ok");
    }
  });
  const totals = { commands: 0, sent: 0, crashes: 0, delivered: 0 };

  const requestsOf = (id: string) =>
    target.received.filter(({ headers }) => headers["webhook-id"] === publicWebhookId(id)).length;
  const api = (method: string, path: string, body?: object): Promise<ApiResponse> =>
    server.api(method, path, body ? { body } : {});

  /** Runs `work`, which may send messages, and checks requests and states against the model. */
  async function whileSending(model: Model, work: () => Promise<unknown>) {
    const before = target.received.length;
    await work();
    const sent = target.received.slice(before).map(({ headers }) => String(headers["webhook-id"]));
    totals.sent += sent.length;
    expect(new Set(sent).size, "one dispatch sends a message once").toBe(sent.length);
    for (const id of sent) {
      const message = model.messages.find((known) => publicWebhookId(known.id) === id);
      expect(message?.from, `${id} was sent before its time or after its end`).toBeLessThanOrEqual(
        model.now,
      );
    }
    for (const message of model.messages) {
      const read = await api("GET", `/api/messages/${message.id}`);
      if (message.removed) {
        expect(read.status).toBe(404);
        continue;
      }
      const state = JSON.parse(read.text);
      expect(requestsOf(message.id), "requests ≤ attempts").toBeLessThanOrEqual(state.attempts);
      if (state.status === "delivered") {
        expect(accepted, "delivered ⇒ accepted").toContain(publicWebhookId(message.id));
        message.from = never;
      } else if (state.status === "failed" && state.next_attempt_at === null) {
        message.from = never;
      } else if (state.attempts > message.attempts) {
        // A retry is scheduled, or the process has crashed: due at the next tick.
        message.from = model.now + 1;
      }
      message.attempts = state.attempts;
    }
    // The minute until a retry or the end of a lease may pass before the next tick.
    await db.query(
      `UPDATE scheduled_messages SET due_at = greatest(due_at, unix_now() + 3600)
       WHERE status IN ('failed', 'delivering') AND due_at > unix_now()`,
    );
  }

  const create = (ticks: number) =>
    command(
      `create in ${ticks}`,
      () => true,
      async (model) => {
        const response = await api("POST", "/api/messages", {
          url: target.url,
          delay_seconds: ticks * TICK_SECONDS,
        });
        expect(response.status).toBe(201);
        const { id } = response.body;
        model.messages.push({ id, from: model.now + ticks, removed: false, attempts: 0 });
      },
    );

  const change = (action: "PATCH" | "DELETE" | "cancel" | "retry", at: number) =>
    command(
      `${action} ${at}`,
      ({ messages }) => messages.length > 0,
      async (model) => {
        const message = model.messages[at % model.messages.length];
        if (!message) return;
        const path = `/api/messages/${message.id}`;
        const response = await (action === "PATCH"
          ? api(action, path, { delay_seconds: 2 * TICK_SECONDS })
          : action === "DELETE"
            ? api(action, path)
            : api("POST", `${path}/${action}`));
        if (message.removed) return expect(response.status).toBe(404);
        if (response.status === 400) return;
        expect(response.status).toBe(action === "DELETE" ? 204 : 200);
        if (action === "PATCH") message.from = model.now + 2;
        if (action === "retry") message.from = model.now;
        if (action === "cancel" || action === "DELETE") message.from = never;
        message.removed = action === "DELETE";
      },
    );

  const pass = () => command("tick", () => true, tick);

  async function tick(model: Model) {
    await db.query(
      "UPDATE scheduled_messages SET due_at = due_at - $1::bigint, scheduled_at = scheduled_at - $1::bigint",
      [TICK_SECONDS],
    );
    model.now++;
  }

  const dispatch = (as: Mode) =>
    command(
      `dispatch to a target that is ${as}`,
      () => true,
      async (model) => {
        mode = as;
        await whileSending(model, async () => {
          expect((await api("POST", "/api/messages/dispatch")).status).toBe(200);
        });
      },
    );

  const crash = (when: "before sending" | "after sending") =>
    command(
      `crash ${when}`,
      ({ messages, now }) => messages.some(({ from }) => from <= now),
      async (model) => {
        totals.crashes++;
        mode = "holding";
        const before = target.received.length;
        await whileSending(model, async () => {
          const dispatching = api("POST", "/api/messages/dispatch").catch(() => null);
          if (when === "after sending") {
            const sent = expect.poll(() => target.received.length, { intervals: [20] });
            await Promise.race([dispatching, sent.toBeGreaterThan(before)]);
          }
          server.kill("SIGKILL");
          await server.exited;
          await dispatching;
          server = await start(QUIET, port);
        });
      },
    );

  function command(
    name: string,
    check: (model: Readonly<Model>) => boolean,
    run: (model: Model) => Promise<void>,
  ): fc.AsyncCommand<Model, object> {
    return {
      check,
      async run(model) {
        totals.commands++;
        await run(model);
      },
      toString: () => name,
    };
  }

  const commands = [
    fc.constantFrom(0, 0, 1, 2).map(create),
    fc
      .tuple(fc.constantFrom("PATCH", "DELETE", "cancel", "retry"), fc.nat(20))
      .map(([action, at]) => change(action, at)),
    fc.constant(null).map(pass),
    fc.constantFrom<Mode>("up", "up", "down", "failing").map(dispatch),
    fc.constantFrom("before sending", "after sending").map(crash),
  ];

  await fc.assert(
    fc.asyncProperty(fc.commands(commands, { maxCommands: 40, size: "max" }), async (life) => {
      await db.query("DELETE FROM scheduled_messages");
      const model: Model = { now: 0, messages: [] };
      await fc.asyncModelRun(() => ({ model, real: {} }), life);
      if (totals.crashes === 0) {
        for (const one of [create(0), crash("after sending")]) await one.run(model, {});
      }
      // At the end the target is up and time advances.
      mode = "up";
      for (let round = 0; round < 4; round++) {
        await tick(model);
        await whileSending(model, () => api("POST", "/api/messages/dispatch"));
      }
      for (const { id, from, removed } of model.messages) {
        if (removed) continue;
        const { text } = await api("GET", `/api/messages/${id}`);
        const { status, next_attempt_at: next } = JSON.parse(text);
        expect(from, `${id} is ${status}`).toBe(never);
        expect(next).toBeNull();
        if (status === "delivered") totals.delivered++;
        else expect(["canceled", "failed"]).toContain(status);
      }
    }),
    { numRuns: RUNS, seed: SEED, endOnFailure: true, includeErrorInReport: true },
  );
  console.log(
    `${totals.commands} commands, ${totals.sent} requests, ${totals.crashes} crashes, ${totals.delivered} delivered`,
  );
});
