import { expect, test } from "playwright/test";
import { logError, logRequest } from "@/lib/platform/telemetry/log";

const REQUEST = {
  operation: "getTask",
  method: "GET",
  path: "/api/tasks/{id}",
  status: 200,
  ms: 3,
  request_id: "req_1",
};

test("A request is a line of JSON in a file, and a readable line on a terminal", async () => {
  const [json] = await linesOf("stdout", false, () => logRequest(REQUEST, "warn"));
  expect(JSON.parse(json ?? "")).toEqual({ time: expect.any(String), level: "warn", ...REQUEST });
  const [line] = await linesOf("stdout", true, () => logRequest(REQUEST, "warn"));
  expect(line).toMatch(/^\d\d:\d\d:\d\d GET \/api\/tasks\/\{id\} 200 3 ms getTask req_1$/);
});

test("A failure is one line of JSON with its stack, and text on a terminal", async () => {
  const error = new Error("a cause");
  const lines = await linesOf("stderr", false, () => logError("It failed.", error, "req_1"));
  expect(lines).toHaveLength(1);
  const { time, ...entry } = JSON.parse(lines[0] ?? "");
  expect(Date.parse(time)).toBeGreaterThan(0);
  expect(entry).toMatchObject({ level: "error", message: "It failed.", request_id: "req_1" });
  expect(entry.error).toMatch(/a cause\n +at /);
  const text = await linesOf("stderr", true, () => logError("It failed.", error, "req_1"));
  expect(text[0]).toMatch(/^\d\d:\d\d:\d\d req_1 It failed\. Error: a cause$/);
});

test("Nothing below LOG_LEVEL is logged", async () => {
  expect(await linesOf("stdout", false, () => logRequest(REQUEST, "info"))).toEqual([]);
});

/** What `work` writes to the stream, as if that were a terminal or not. */
async function linesOf(name: "stdout" | "stderr", isTerminal: boolean, work: () => void) {
  const stream = process[name];
  const { write, isTTY } = stream;
  let text = "";
  Object.assign(stream, {
    isTTY: isTerminal,
    write: (chunk: string) => {
      text += chunk;
      return true;
    },
  });
  try {
    work();
    // Longer than lines wait for others.
    await new Promise((resolve) => setTimeout(resolve, 50));
  } finally {
    Object.assign(stream, { write, isTTY });
  }
  return text.split("\n").slice(0, -1);
}
