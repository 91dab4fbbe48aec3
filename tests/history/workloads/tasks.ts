import { type ApiResponse, jsonOf } from "../../support/http";
import type { Next } from "../../support/leases";
import type { Session } from "../session";
import { idOf } from "./queues";

const POOL = "pool";
const PRIORITIES = ["critical", "high", "medium", "low"] as const;

/** Tasks that several clients write to. */
export async function makeTask(session: Session): Promise<string> {
  const value = session.fresh();
  const ask = { path: "/api/tasks", body: { name: value }, about: { value }, find: idOf };
  const made = await session.once("create", "tasks", ask);
  return made?.found[0]?.id ?? "";
}

/** Reads a task and replaces its description if it has not changed since. */
export async function edit(session: Session, task: string) {
  const find = (response: ApiResponse) => [
    { id: response.headers.need("etag"), value: response.body.description ?? "" },
  ];
  const path = `/api/tasks/${task}`;
  for (;;) {
    const read = await session.call("read", task, { method: "GET", path, find });
    const [seen] = read.found;
    if (session.isOver && seen) return;
    if (seen && session.chance(0.6)) {
      const value = session.fresh();
      await session.call("write", task, {
        method: "PATCH",
        path,
        headers: { "If-Match": seen.id },
        body: { description: value },
        about: { value, id: seen.id },
        find,
      });
    }
    await session.rest();
  }
}

/** Makes tasks of several priorities for workers to lease. */
export async function fillPool(session: Session) {
  while (!session.isOver) {
    const value = session.fresh();
    const rank = session.pick(PRIORITIES.length);
    const body = { name: value, labels: [POOL], priority: PRIORITIES[rank] };
    const about = { value, rank };
    await session.once("offer", POOL, { path: "/api/tasks", body, about, find: idOf });
    await session.rest(500);
  }
}

/** Leases tasks and completes them, gives them back, renews, forgets them, or completes one that it gave back. */
export async function work(session: Session) {
  while (!session.isOver) {
    const seconds = 30 + session.pick(30);
    const ask = {
      path: "/api/tasks/lease-next",
      body: { holder: session.name, labels: [POOL], lease_seconds: seconds, wait_seconds: 1 },
      about: { seconds },
      find: (response: ApiResponse) => {
        const { lease } = jsonOf<Next>(response);
        if (!lease) return [];
        return [{ id: lease.task_id, lease: lease.lease_id, turn: lease.fencing_token }];
      },
    };
    const leased = session.chance(0.5)
      ? await session.once("lease", POOL, ask)
      : await session.call("lease", POOL, ask);
    const [held] = leased?.found ?? [];
    if (held) await finish(session, held.id, held.lease ?? "");
    await session.rest();
  }
}

async function finish(session: Session, id: string, lease: string) {
  const path = `/api/tasks/${id}`;
  const body = { lease_id: lease };
  const about = { id, lease };
  const release = () =>
    session.call("release", POOL, { method: "DELETE", path: `${path}/lease`, body, about });
  const complete = () => session.call("complete", POOL, { path: `${path}/complete`, body, about });
  const choice = session.pick(10);
  if (choice === 0) return; // The worker has crashed.
  if (choice < 3) return release();
  if (choice === 3) {
    const renewal = { ...body, holder: session.name, lease_seconds: 40 };
    const ask = { path: `${path}/lease`, body: renewal, about: { ...about, seconds: 40 } };
    await session.call("extend", POOL, ask);
  }
  await session.rest(150);
  if (choice === 4) {
    await release();
    await session.rest(1500);
  }
  return complete();
}

export async function listPool(session: Session) {
  await session.list("pooled", POOL, `/api/tasks?label=${POOL}&`, ({ id, name, labels }) => ({
    id,
    value: name,
    turn: labels.includes("done") ? 1 : 0,
  }));
}
