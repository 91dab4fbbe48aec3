import { makeKey, makeOrganization } from "../support/accounts";
import { expectError, expectStatus } from "../support/expectations";
import { expect, test, withDatabase } from "../support/fault-fixtures";
import type { Answer } from "../support/http";
import { randomText } from "../support/keys";

/** `decisions.md` §12: in public mode callers are limited, over all instances. */

const PUBLIC = {
  BASE_URL: "http://svc.example",
  HOST: "127.0.0.1",
  SERVER_SECRET: randomText(40),
  AGENT_AUTH_SECRET: randomText(40),
  RATE_LIMIT_KEY: "6",
  RATE_LIMIT_ANONYMOUS_CREATES: "4",
};

test("A key's requests are limited over all servers, and each answer says what is left", async ({
  start,
  makeDatabase,
}) => {
  const DATABASE_URL = await makeDatabase();
  const servers = [
    await start({ ...PUBLIC, DATABASE_URL }),
    await start({ ...PUBLIC, DATABASE_URL }),
  ];
  const { key, other } = await withDatabase(DATABASE_URL, async (db) => {
    const { id, key } = await makeOrganization(db);
    return { key, other: await makeKey(db, id) };
  });
  const answers: Answer[] = [];
  for (let i = 0; i < 6; i += 1) {
    const answer = await servers[i % 2]?.api("GET", "/api/tasks", { key });
    if (answer) answers.push(answer);
  }
  for (const answer of answers) {
    expectStatus(answer, 200);
    expect(answer.headers.get("ratelimit-policy")).toBe('"default";q=6;w=60');
    expect(answer.headers.get("ratelimit")).toMatch(/^"default";r=[0-5];t=\d+$/);
  }
  const refused = await servers[0]?.api("GET", "/api/tasks", { key });
  if (!refused) throw new Error("There is no server.");
  expectError(refused, 429, "rate_limited");
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(refused.headers.get("ratelimit")).toMatch(/^"default";r=0;t=\d+$/);
  // The limit comes before the scope and the body, and is each key's own.
  expectError(
    (await servers[1]?.api("POST", "/api/tasks", { key, raw: "{" })) ?? refused,
    429,
    "rate_limited",
  );
  expectStatus((await servers[1]?.api("GET", "/api/tasks", { key: other })) ?? refused, 200);
});

test("Creates without a key are limited for each address, and reads are not", async ({
  start,
  makeDatabase,
}) => {
  const { api } = await start({ ...PUBLIC, DATABASE_URL: await makeDatabase() });
  const create = (address: string) =>
    api("POST", "/api/tasks", { body: { name: "x" }, headers: { "x-forwarded-for": address } });
  const answers = await Promise.all(Array.from({ length: 12 }, () => create("192.0.2.1")));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(4);
  for (const answer of answers.filter(({ status }) => status !== 201)) {
    expectError(answer, 429, "rate_limited");
  }
  expectStatus(await create("192.0.2.2"), 201);
  const { body: task } =
    answers.find(({ status }) => status === 201) ?? (await create("192.0.2.3"));
  for (let i = 0; i < 8; i += 1) expectStatus(await api("GET", `/api/tasks/${task.id}`), 200);
});

test("On one's own machine nothing is limited", async ({ start, makeDatabase }) => {
  const { BASE_URL: _, HOST: __, ...local } = PUBLIC;
  const { api } = await start({ ...local, DATABASE_URL: await makeDatabase() });
  for (let i = 0; i < 8; i += 1) {
    const answer = await api("POST", "/api/tasks", { body: { name: "x" } });
    expectStatus(answer, 201);
    expect(answer.headers.get("ratelimit")).toBeNull();
  }
});
