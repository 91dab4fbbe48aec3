import http from "node:http";
import { expect, test } from "../support/fault-fixtures";
import { pause } from "../support/servers";

/** Milliseconds after SIGTERM: the phases of a stop, in all of which an idle connection is open. */
const STALLS = [50, 170];

for (const after of STALLS) {
  test(`A request that arrives while a stopping server stalls, ${after} ms after SIGTERM, is answered`, async ({
    start,
  }) => {
    const { baseUrl, pid, exited } = await start();
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    expect(await post(agent, `${baseUrl}/api/tasks`)).toBe(201);
    process.kill(pid, "SIGTERM");
    await pause(after);
    process.kill(pid, "SIGSTOP");
    expect(Object.values(agent.freeSockets).flat()).toHaveLength(1);
    const answered = post(agent, `${baseUrl}/api/tasks`);
    await pause(1000);
    process.kill(pid, "SIGCONT");
    expect(await answered).toBe(201);
    expect(await exited).toEqual({ code: 0, signal: null });
    agent.destroy();
  });
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
