import http from "node:http";
import { expectStatus } from "../support/expectations";
import { expect, QUIET, test } from "../support/fault-fixtures";
import { pause, type RunningServer } from "../support/servers";

/** Milliseconds after SIGTERM: the phases of a stop, in all of which an idle connection is open. */
const STALLS = [50, 170];

for (const after of STALLS) {
  test(`A request that arrives while a stopping server stalls, ${after} ms after SIGTERM, is answered`, async ({
    start,
  }) => {
    // On a busy machine the server may have ended before it stalls: then once more.
    let answer: unknown;
    for (let turn = 0; turn < 10 && answer === undefined; turn += 1) {
      answer = await sendWhileStalled(await start(), after);
    }
    expect(answer).toBe(201);
  });
}

test("A server whose database is silent exits", async ({ databaseProxy, start }) => {
  const server = await start({ DATABASE_URL: databaseProxy.url, ...QUIET });
  const { body: task } = await server.api("POST", "/api/tasks", { body: { name: "before" } });
  // Over a connection that stays open.
  expectStatus(await server.api("GET", `/api/tasks/${task.id}`), 200);
  databaseProxy.freeze();
  server.kill("SIGTERM");
  expect(await server.exited).toEqual({ code: 0, signal: null });
});

/** What a request gets while a stopping server stalls, or undefined if its connection was closed before. */
async function sendWhileStalled(server: RunningServer, after: number) {
  const url = `${server.baseUrl}/api/tasks`;
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  expect(await post(agent, url)).toBe(201);
  server.kill("SIGTERM");
  await pause(after);
  server.kill("SIGSTOP");
  await pause(50); // the end of the connection would have arrived
  const isOpen = Object.values(agent.freeSockets).flat().length === 1;
  const answered = isOpen ? post(agent, url) : undefined;
  await pause(1000);
  server.kill("SIGCONT");
  const answer = await answered;
  expect(await server.exited).toEqual({ code: 0, signal: null });
  agent.destroy();
  return answer;
}

/** Creates a task, and returns the status or the error. */
function post(agent: http.Agent, url: string) {
  return new Promise((resolve) => {
    const headers = { "content-type": "application/json" };
    const request = http.request(url, { method: "POST", agent, headers }, (response) => {
      response.resume().on("end", () => resolve(response.statusCode));
    });
    request.on("error", resolve).end('{"name": "late"}');
  });
}
