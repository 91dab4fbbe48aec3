import { randomUUID } from "node:crypto";
import { compare } from "../compare";
import { encode, load, once, type Request } from "../load";
import { makeKey, type Stage } from "../stage";
import { onConnections, type Table } from "../table";

const POST: Request = {
  method: "POST",
  path: "/api/tasks",
  headers: { "Content-Type": "application/json" },
  body: '{"name":"bench","labels":["a"]}',
};

/** Reads and creates, beside a bare server with the same statements. */
export async function tasks(stage: Stage, table: Table) {
  const key = await makeKey(stage.db, "tasks");
  const bare = await stage.peer("bare server", "bare.mjs", stage.url);
  const service = await stage.service();
  const publicTask: { id: string } = JSON.parse(await once(service.port, POST));
  const owned: { id: string } = JSON.parse(await once(service.port, withKey(POST, key)));
  const get: Request = { method: "GET", path: `/api/tasks/${publicTask.id}` };
  const getOwned = withKey({ method: "GET", path: `/api/tasks/${owned.id}` }, key);

  for (const connections of [1, 16, 64]) {
    const [beside, open, keyed] = await compare([
      stage.repeating(bare, connections, get),
      stage.repeating(service, connections, get),
      stage.repeating(service, connections, getOwned),
    ]);
    table.row(`GET a task, ${onConnections(connections)}`, open, beside);
    table.row(`GET a task with a key, ${onConnections(connections)}`, keyed, beside);
  }
  for (const connections of [1, 16, 64]) {
    const [beside, open, keyed, repeatable] = await compare([
      stage.repeating(bare, connections, POST),
      stage.repeating(service, connections, POST),
      stage.repeating(service, connections, withKey(POST, key)),
      {
        ...stage.repeating(service, connections, POST),
        turn: () => createOnce(service.port, connections, withKey(POST, key)),
      },
    ]);
    table.row(`POST a task, ${onConnections(connections)}`, open, beside);
    table.row(`POST a task with a key, ${onConnections(connections)}`, keyed, beside);
    table.row(
      `POST a task with a key and \`Idempotency-Key\`, ${onConnections(connections)}`,
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
