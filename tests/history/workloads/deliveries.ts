import { randomInt } from "node:crypto";
import { jsonOf } from "../../support/http";
import { startTarget } from "../../support/target";
import type { Log } from "../log";
import type { Session } from "../session";
import { idOf } from "./queues";

const STARTS_AFTER_SECONDS = 3;
/** A message fails permanently after five attempts. */
const BUSY_ATTEMPTS_MAX = 3;

/** Takes deliveries, which it records. It asks for another attempt now and then. */
export function startRecordingTarget(log: Log) {
  return startTarget((response, { headers, body }) => {
    const attempt = Number(headers["message-attempt"]);
    const isBusy = attempt <= BUSY_ATTEMPTS_MAX && randomInt(6) === 0;
    log.note({
      client: "target",
      op: "arrive",
      on: String(headers["webhook-id"]),
      value: body.toString(),
      outcome: isBusy ? "refused" : "ok",
      found: [{ id: String(headers["webhook-id"]), turn: attempt }],
    });
    if (isBusy) response.writeHead(503, { "Retry-After": "1" }).end();
    else response.end("ok");
  });
}

/** Sends messages, and cancels some. */
export async function send(session: Session, url: string) {
  while (!session.isOver) {
    const value = session.fresh();
    const seconds = session.pick(3);
    const sent = await session.once("send", "messages", {
      path: "/api/messages",
      body: { url, body: value, delay_seconds: seconds },
      about: { value, seconds },
      find: idOf,
    });
    const [{ id } = { id: "" }] = sent?.found ?? [];
    if (id && session.chance(0.3)) {
      await session.rest(800);
      const path = `/api/messages/${id}/cancel`;
      await session.call("cancel", "messages", { path, about: { id } });
    }
    await session.rest(400);
  }
}

/** Asks for dispatches, as an external scheduler does, beside those of the servers. */
export async function dispatch(session: Session) {
  while (!session.isOver) {
    const call = () => session.call("dispatch", "messages", { path: "/api/messages/dispatch" });
    await Promise.all([call(), call()]);
    await session.rest(700);
  }
}

/** Makes schedules that run once within this run, and runs some by hand too. */
export async function plan(session: Session) {
  while (!session.isOver) {
    const value = session.fresh();
    const starts = Math.floor(Date.now() / 1000) + STARTS_AFTER_SECONDS;
    const planned = await session.once("plan", "schedules", {
      path: "/api/schedules",
      body: {
        name: value,
        every_seconds: 86_400,
        starts_at: starts,
        target: { task: { name: value, external_id: value } },
      },
      about: { value, seconds: STARTS_AFTER_SECONDS },
      find: idOf,
    });
    const [{ id } = { id: "" }] = planned?.found ?? [];
    if (id && session.chance(0.3)) {
      await session.once("run", "schedules", {
        path: `/api/schedules/${id}/run`,
        about: { value: session.fresh(), id: value },
      });
    }
    await session.rest(600);
  }
}

/** Publishes tasks without a key, which two organizations claim at once. */
export async function claim(session: Session) {
  while (!session.isOver) {
    let token = "";
    const published = await session.once("publish", "tasks", {
      path: "/api/tasks",
      key: undefined,
      body: { name: session.fresh() },
      find: (response) => {
        token = jsonOf<{ claim_token: string }>(response).claim_token;
        return idOf(response);
      },
    });
    const [{ id } = { id: "" }] = published?.found ?? [];
    if (!id) return;
    await Promise.all(
      session.world.keys.map((key, owner) =>
        session.once("claim", id, {
          path: `/api/claim/${id}`,
          key,
          body: { claim_token: token },
          about: { value: `${id} ${owner}`, id: `organization ${owner}` },
        }),
      ),
    );
    await session.rest(600);
  }
}

/** Lists the tasks of each organization, and the messages, at the end. */
export async function listOutcomes(session: Session) {
  for (const [owner, key] of session.world.keys.entries()) {
    const what = ({ id, external_id }: { id: string; external_id: string }) => ({
      id,
      value: external_id,
    });
    await session.list("owned", `organization ${owner}`, "/api/tasks?", what, key);
  }
  await session.list("delivered", "messages", "/api/messages?", ({ id, status, attempts }) => ({
    id,
    value: status,
    turn: attempts,
  }));
}
