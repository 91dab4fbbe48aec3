import { eachOf, expectError } from "../support/expectations";
import { expect, test } from "../support/fixtures";

/** Messages say which value is wrong and what is allowed. Codes are tested elsewhere. */

type Row = [path: string, body: object, param: string, message: string | RegExp];

/** Fields of a task beside its name, where only one of them is wrong. */
const task = (fields: object, param: string, message: string): Row => [
  "/api/tasks",
  { name: "x", ...fields },
  param,
  `"${param}" must ${message}`,
];
const maxEvents = "be an integer from 1 to 10000 or null.";
const priorities = 'be "low", "medium", "high" or "critical".';
/** A task and a message with this time, which is not in the range. */
const times = (time: unknown, range: string): Row[] => [
  ["/api/tasks", { name: "x", due_at: time }, "due_at", unixSeconds(" or null", range)],
  [
    "/api/messages",
    { url: "http://a.example/", scheduled_at: time },
    "scheduled_at",
    unixSeconds("", range),
  ],
];
const SAFE = " from -9007199254740991 to 9007199254740991,";
const BODIES: Row[] = [
  ...["2030-01-01T00:00:00Z", "1767225600", "tomorrow", 1767225600.5, true].flatMap((time) =>
    times(time, ""),
  ),
  ...[2 ** 53, -(2 ** 53), 1e300].flatMap((time) => times(time, SAFE)),
  task({ name: "x".repeat(301) }, "name", "have 1 to 200 characters; it has 301."),
  task({ name: "" }, "name", "have 1 to 200 characters; it has 0."),
  task({ name: "😀".repeat(201) }, "name", "have 1 to 200 characters; it has 201."),
  task({ name: 5 }, "name", "be a string."),
  task({ description: "a\0" }, "description", "not contain the character U+0000."),
  task({ description: 5 }, "description", "be a string or null."),
  task({ labels: Array(60).fill("a") }, "labels", "have at most 50 items; it has 60."),
  task({ priority: "urgent" }, "priority", priorities),
  ...[0, "5"].map(
    (max_events): Row => [
      "/api/webhooks",
      { name: "x", max_events },
      "max_events",
      `"max_events" must ${maxEvents}`,
    ],
  ),
  [
    "/api/messages",
    { url: "http://a.example/", delay_seconds: -1 },
    "delay_seconds",
    '"delay_seconds" must be an integer from 0 to 31622400.',
  ],
  ["/api/batch", { operations: [] }, "operations", '"operations" must not be empty.'],
];
test("A message says what is wrong with the property, and what is allowed", async ({ api }) => {
  const rows = BODIES.map((row) => [JSON.stringify(row[1]).slice(0, 60), ...row] as const);
  await eachOf(rows, async ([_shown, path, body, param, message]) => {
    const response = await api("POST", path, { body });
    expectError(response, 400, "invalid_param", param);
    if (typeof message === "string") expect(response.body.error.message).toBe(message);
    else expect(response.body.error.message).toMatch(message);
  });
});

test("The message for Unix seconds gives the current time as an example, in queries too", async ({
  api,
}) => {
  for (const [value, range] of [
    ...["2030-01-01", "1.5", ""].map((text) => [text, ""] as const),
    ...["9007199254740993", "-9007199254740992"].map((text) => [text, SAFE] as const),
  ]) {
    const response = await api("GET", "/api/tasks", { query: { due_before: value } });
    expectError(response, 400, "invalid_param", "due_before");
    const { message } = response.body.error;
    expect(message).toMatch(unixSeconds("", range));
    const example = Number(/such as (\d{10}) /.exec(message)?.[1]);
    expect(Math.abs(example - Date.now() / 1000)).toBeLessThan(7300);
  }
});

test("A wrong value of a repeatable query parameter is refused by the parameter's name", async ({
  api,
}) => {
  for (const query of ["priority=High", "priority=low&priority=High", "label=ok&label=%00"]) {
    const response = await api("GET", `/api/tasks?${query}`);
    const name = query.split("=", 1)[0] ?? "";
    expectError(response, 400, "invalid_param", name);
    expect(response.body.error.message).toMatch(new RegExp(`^"${name}" must `));
  }
});

test("A parameter in the wrong place is refused with the right place", async ({ api }) => {
  const { body: task } = await api("POST", "/api/tasks", { body: { name: "x" } });
  const released = await api("DELETE", `/api/tasks/${task.id}/lease?lease_id=lse_x`);
  expectError(released, 400, "unknown_param", "lease_id");
  expect(released.body.error.message).toBe(
    '"lease_id" is not a query parameter here; send it in the JSON body.',
  );
  const body = { name: "x", content: "", share: true };
  const shared = await api("POST", "/api/artifacts", { body });
  expectError(shared, 400, "unknown_param", "share");
  expect(shared.body.error.message).toMatch(
    /^"share" is not a property here; send it as a query parameter; allowed: .*name.* and .*\.$/,
  );
});

test("What works without a key is named only where it does", async ({ api, organization }) => {
  const leaseNext = { body: { holder: "x" } };
  const anonymous = await api("POST", "/api/tasks/lease-next", leaseNext);
  expectError(anonymous, 401, "unauthorized");
  expect(anonymous.body.error.message).toContain("POST /api/tasks/{id}/lease");
  const { readKey: key } = organization;
  const needsKey = await api("POST", "/api/tasks/lease-next", { key, ...leaseNext });
  expect(needsKey.body.error.message).not.toContain("without a key");
  const open = await api("POST", "/api/tasks", { key, body: { name: "x" } });
  expect(open.body.error.message).toContain("send the request without a key");
});

function unixSeconds(end: string, range: string): RegExp {
  return new RegExp(
    `must be an integer${range} in Unix seconds, not milliseconds, such as \\d{10} \\(now\\)${end}\\.$`,
  );
}
