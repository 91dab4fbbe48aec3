import { randomUUID } from "node:crypto";
import { compare } from "../compare";
import { encode, load, once, type Request, repeat } from "../load";
import type { Running, Stage } from "../stage";
import type { Table } from "../table";

const POST: Request = {
  method: "POST",
  path: "/api/tasks",
  headers: { "Content-Type": "application/json" },
  body: '{"name":"bench","labels":["a"]}',
};

/** Reads and creates, beside a bare server with the same statements. */
export async function tasks(stage: Stage, table: Table) {
  const key = await stage.makeKey("tasks");
  const bare = await stage.peer("bare server", "bare.mjs", stage.url);
  const service = await stage.service();
  const publicTask: { id: string } = JSON.parse(await once(service.port, POST));
  const owned: { id: string } = JSON.parse(await once(service.port, withKey(POST, key)));
  const get: Request = { method: "GET", path: `/api/tasks/${publicTask.id}` };
  const getOwned = withKey({ method: "GET", path: `/api/tasks/${owned.id}` }, key);

  const sending = (
    name: string,
    { port, pid }: Running,
    connections: number,
    request: Request,
  ) => ({
    name,
    pid,
    storePid: stage.postgresPid,
    turn: () => repeat(port, connections, request),
  });
  for (const connections of [1, 16, 64]) {
    const [beside, open, keyed] = await compare([
      sending("bare server", bare, connections, get),
      sending("no key", service, connections, get),
      sending("key", service, connections, getOwned),
    ]);
    table.row(`GET a task, ${on(connections)}`, open, beside);
    table.row(`GET a task with a key, ${on(connections)}`, keyed, beside);
  }
  for (const connections of [1, 16, 64]) {
    const [beside, open, keyed, repeatable] = await compare([
      sending("bare server", bare, connections, POST),
      sending("no key", service, connections, POST),
      sending("key", service, connections, withKey(POST, key)),
      {
        ...sending("Idempotency-Key", service, connections, POST),
        turn: () => createOnce(service.port, connections, withKey(POST, key)),
      },
    ]);
    table.row(`POST a task, ${on(connections)}`, open, beside);
    table.row(`POST a task with a key, ${on(connections)}`, keyed, beside);
    table.row(
      `POST a task with a key and \`Idempotency-Key\`, ${on(connections)}`,
      repeatable,
      beside,
    );
  }
}

function withKey(request: Request, key: string): Request {
  return { ...request, headers: { ...request.headers, Authorization: `Bearer ${key}` } };
}

function createOnce(port: number, connections: number, request: Request) {
  return load(port, connections, async (connection) => {
    const headers = { ...request.headers, "Idempotency-Key": randomUUID() };
    await connection.send(encode({ ...request, headers }));
    return 1;
  });
}

function on(connections: number) {
  return connections === 1 ? "1 connection" : `${connections} connections`;
}
