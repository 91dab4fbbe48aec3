import { expectError } from "../support/expectations";
import { expect, test } from "../support/fixtures";

/** Messages say which value is wrong and what is allowed. Codes are tested elsewhere. */

const BODIES: Array<[path: string, body: object, param: string, message: string | RegExp]> = [
  ...["2030-01-01T00:00:00Z", "1767225600", "tomorrow", 1767225600.5, true, 2 ** 53].flatMap(
    (time): typeof BODIES => [
      ["/api/tasks", { name: "x", due_at: time }, "due_at", unixSeconds(" or null")],
      [
        "/api/messages",
        { url: "http://a.example/", scheduled_at: time },
        "scheduled_at",
        unixSeconds(""),
      ],
    ],
  ),
  [
    "/api/tasks",
    { name: "x".repeat(301) },
    "name",
    '"name" must have 1 to 200 characters; it has 301.',
  ],
  ["/api/tasks", { name: "" }, "name", '"name" must have 1 to 200 characters; it has 0.'],
  [
    "/api/tasks",
    { name: "😀".repeat(201) },
    "name",
    '"name" must have 1 to 200 characters; it has 201.',
  ],
  ["/api/tasks", { name: 5 }, "name", '"name" must be a string.'],
  [
    "/api/tasks",
    { name: "x", description: "a\0" },
    "description",
    '"description" must not contain the character U+0000.',
  ],
  [
    "/api/tasks",
    { name: "x", description: 5 },
    "description",
    '"description" must be a string or null.',
  ],
  [
    "/api/tasks",
    { name: "x", labels: Array(60).fill("a") },
    "labels",
    '"labels" must have at most 50 items; it has 60.',
  ],
  [
    "/api/tasks",
    { name: "x", priority: "urgent" },
    "priority",
    '"priority" must be "low", "medium", "high" or "critical".',
  ],
  [
    "/api/webhooks",
    { name: "x", max_events: 0 },
    "max_events",
    '"max_events" must be an integer from 1 to 10000 or null.',
  ],
  [
    "/api/webhooks",
    { name: "x", max_events: "5" },
    "max_events",
    '"max_events" must be an integer from 1 to 10000 or null.',
  ],
  [
    "/api/messages",
    { url: "http://a.example/", delay_seconds: -1 },
    "delay_seconds",
    '"delay_seconds" must be an integer from 0 to 31622400.',
  ],
];
for (const [path, body, param, message] of BODIES) {
  const shown = JSON.stringify(body).slice(0, 60);
  test(`${path} says what is wrong with ${param} in ${shown}`, async ({ api }) => {
    const response = await api("POST", path, { body });
    expectError(response, 400, "invalid_param", param);
    if (typeof message === "string") expect(response.body.error.message).toBe(message);
    else expect(response.body.error.message).toMatch(message);
  });
}

test("The message for Unix seconds gives the current time as an example, in queries too", async ({
  api,
}) => {
  for (const value of ["2030-01-01", "1.5", "9007199254740993", ""]) {
    const response = await api("GET", "/api/tasks", { query: { due_before: value } });
    expectError(response, 400, "invalid_param", "due_before");
    const { message } = response.body.error;
    expect(message).toMatch(unixSeconds(""));
    const example = Number(/\d{10}/.exec(message)?.[0]);
    expect(Math.abs(example - Date.now() / 1000)).toBeLessThan(7300);
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
  expect(shared.body.error.message).toBe(
    '"share" is not a property here; send it as a query parameter.',
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

test("An ID that is not the current lease is not called one that is over", async ({ api }) => {
  const { body: task } = await api("POST", "/api/tasks", { body: { name: "x" } });
  const path = `/api/tasks/${task.id}/lease`;
  await api("POST", path, { body: { holder: "w1" } });
  const other = await api("POST", path, { body: { holder: "w1", lease_id: "lse_never" } });
  expectError(other, 409, "lease_lost", "lease_id");
  expect(other.body.error.message).toMatch(
    /^This is not the current lease\. The task is held by "w1" until /,
  );
});

test("The message for an empty claim token says that it is empty", async ({ api, key }) => {
  const { body: task } = await api("POST", "/api/tasks", { body: { name: "x" } });
  const body = { claim_token: "" };
  const response = await api("POST", `/api/claim/${task.id}`, { key, body });
  expectError(response, 400, "invalid_param", "claim_token");
  expect(response.body.error.message).toBe('"claim_token" must not be empty.');
});

function unixSeconds(end: string): RegExp {
  return new RegExp(
    `must be an integer in Unix seconds, not milliseconds, such as \\d{10} \\(now\\)${end}\\.$`,
  );
}
