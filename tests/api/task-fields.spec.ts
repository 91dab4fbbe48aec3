import { eachOf, expectError, expectStatus } from "../support/expectations";
import { expect, test } from "../support/fixtures";
import { randomText } from "../support/keys";

/** The fields of a task: what is stored verbatim, and what is refused. */

const LONGEST = 9_007_199_254_740_991;

/** What may not be stored, as escapes of JSON. */
const UNSTORABLE = [
  ["U+0000", "a\\u0000b"],
  ["a lone high surrogate", "a\\ud83d"],
  ["a lone low surrogate", "\\ude00a"],
  ["surrogates in the wrong order", "\\ude00\\ud83d"],
];
const NO_DUE_AT = ["9007199254740992", "-9007199254740992", "1e300", "1e400", "-1e400", "1.5"];
const NO_LABELS: Array<[labels: unknown, param: string]> = [
  [[...manyLabels(), "one more"], "labels"],
  [["ok", "𝒳".repeat(101)], "labels.1"],
  [["a", "b", "c", "x".repeat(101)], "labels.3"],
  [["a", ""], "labels.1"],
  [["a", null], "labels.1"],
  [[5], "labels.0"],
  [[["a"]], "labels.0"],
  ["a", "labels"],
  [{ 0: "a" }, "labels"],
  [5, "labels"],
];

/** The JSON of a task, and the property for which a create and an update refuse it. */
const REFUSED: Array<[raw: string, param: string]> = [
  ...UNSTORABLE.flatMap(
    ([, text]): Array<[string, string]> => [
      [`{"name":"${text}"}`, "name"],
      [`{"name":"x","description":"${text}"}`, "description"],
      [`{"name":"x","labels":["ok","${text}"]}`, "labels.1"],
      [`{"name":"x","external_id":"${text}"}`, "external_id"],
    ],
  ),
  ...["", "x".repeat(201), "😀".repeat(201), null, 5, true, ["x"], { x: 1 }].map(
    (name): [string, string] => [JSON.stringify({ name }), "name"],
  ),
  ...[...NO_DUE_AT, '"1"', '"2030-01-01"', "true", "[]", "{}"].map((value): [string, string] => [
    `{"name":"x","due_at":${value}}`,
    "due_at",
  ]),
  ...NO_LABELS.map(([labels, param]): [string, string] => [
    JSON.stringify({ name: "x", labels }),
    param,
  ]),
  ...["description", "external_id"].flatMap((field) =>
    [5, false, [], {}].map((value): [string, string] => [
      JSON.stringify({ name: "x", [field]: value }),
      field,
    ]),
  ),
  [JSON.stringify({ name: "x", description: "x".repeat(1_000_001) }), "description"],
];

test("A create and an update refuse a value that a field cannot have, name the field and change nothing", async ({
  api,
}) => {
  const { body: task } = await api("POST", "/api/tasks", { body: { name: "Kept", due_at: 5 } });
  const path = `/api/tasks/${task.id}`;
  const before = await api("GET", path);
  const rows = REFUSED.map(([raw, param]) => [raw.slice(0, 60), raw, param] as const);
  await eachOf(rows, async ([_title, raw, param]) => {
    expectError(await api("POST", "/api/tasks", { raw }), 400, "invalid_param", param);
    expectError(await api("PATCH", path, { raw }), 400, "invalid_param", param);
  });
  expect((await api("GET", path)).body).toEqual(before.body);
});

test("Lengths count code points, not UTF-16 units or bytes", async ({ api }) => {
  const name = "😀".repeat(200);
  const label = "𝒳".repeat(100);
  const description = "𐍈".repeat(1_000_000);
  const created = await api("POST", "/api/tasks", { body: { name, labels: [label], description } });
  expectStatus(created, 201);
  const read = await api("GET", `/api/tasks/${created.body.id}`);
  expect(read.body.name).toBe(name);
  expect(read.body.labels).toEqual([label]);
  expect(read.body.description === description).toBe(true);
});

test("The longest description may arrive as \\u escapes, in every call that takes one", async ({
  api,
  key,
}) => {
  const raw = `{"name":"x","description":"${"\\ud800\\udf48".repeat(1_000_000)}"}`;
  for (const [method, path] of [
    ["POST", "/api/tasks"],
    ["PUT", "/api/tasks/external/longest"],
    ["PATCH", `/api/tasks/${(await api("POST", "/api/tasks", { body: { name: "x" } })).body.id}`],
  ] as const) {
    const written = await api(method, path, { ...(method === "PUT" && { key }), raw });
    expect(written.body.description === "𐍈".repeat(1_000_000), path).toBe(true);
  }
});

const VERBATIM = [
  " ",
  "  spaces at both ends  ",
  "\ttabs\r\nand lines\u2028 \u0085",
  "caf\u00e9 and cafe\u0301 stay different",
  "\u200b\u200d\ufeff zero width \u202e direction",
  "\u0001\u001f\u007f control characters",
  "\ufffe\uffff\u{10ffff} noncharacters",
  "'; DROP TABLE tasks; -- \\ \" ` $1 %s {} <b>",
  "null",
];
test("Every string is stored verbatim, and found by it", async ({ api, key }) => {
  await eachOf(
    VERBATIM.map((text) => [JSON.stringify(text), text] as const),
    async ([_title, text]) => {
      const fields = { name: text, description: text, labels: [text, text], external_id: text };
      const created = await api("POST", "/api/tasks", { key, body: fields });
      expectStatus(created, 201);
      expect(created.body).toMatchObject(fields);
      const read = await api("GET", `/api/tasks/${created.body.id}`, { key });
      expect(read.body).toMatchObject(fields);
      for (const query of [{ external_id: text }, { label: text }]) {
        const list = await api("GET", "/api/tasks", { key, query });
        expect(list.body.data.map(({ id }) => id)).toEqual([created.body.id]);
      }
    },
  );
});

test("An empty description or external_id stays an empty string", async ({ api }) => {
  const empty = { description: "", external_id: "" };
  const created = await api("POST", "/api/tasks", { body: { name: "x", ...empty } });
  expect(created.body).toMatchObject(empty);
});

test("due_at stores every integer in its range, in any notation of JSON", async ({ api }) => {
  const inRange = [LONGEST, -LONGEST, 0, -1, 1, 1_799_999_999, 2 ** 31, 2 ** 32, -(2 ** 40), null];
  for (const due_at of [...inRange.map(String), "1.5e3"]) {
    const raw = `{"name":"x","due_at":${due_at}}`;
    const created = await api("POST", "/api/tasks", { raw });
    expectStatus(created, 201);
    expect(created.body.due_at).toBe(JSON.parse(due_at));
    const read = await api("GET", `/api/tasks/${created.body.id}`);
    expect(read.body.due_at).toBe(JSON.parse(due_at));
  }
});

test("due_before and due_after accept exactly the integers in that range", async ({ api, key }) => {
  for (const due_at of [-LONGEST, 0, LONGEST, null]) {
    expectStatus(await api("POST", "/api/tasks", { key, body: { name: "x", due_at } }), 201);
  }
  const due = async (query: object) => {
    const list = await api("GET", "/api/tasks", { key, query: { ...query } });
    expectStatus(list, 200);
    return list.body.data.map(({ due_at }) => due_at);
  };
  expect(await due({ due_before: LONGEST })).toEqual([0, -LONGEST]);
  expect(await due({ due_after: -LONGEST })).toEqual([LONGEST, 0]);
  expect(await due({ due_after: -LONGEST, due_before: LONGEST })).toEqual([0]);
  for (const beyond of ["9007199254740992", "-9007199254740992", "1.5", "", "now"]) {
    for (const name of ["due_before", "due_after"]) {
      const list = await api("GET", "/api/tasks", { key, query: { [name]: beyond } });
      expectError(list, 400, "invalid_param", name);
    }
  }
});

const ARRAY_SYNTAX = ["{a,b}", '"quoted"', "back\\slash", "a,b", "NULL", "{}", "'"];
test("Labels may be fifty of a hundred characters of any kind, keep their order and duplicates, and are found", async ({
  api,
  key,
}) => {
  for (const labels of [manyLabels(), ["b", "a", "b", "B", " b"], ARRAY_SYNTAX]) {
    const created = await api("POST", "/api/tasks", { key, body: { name: "x", labels } });
    expectStatus(created, 201);
    expect(created.body.labels).toEqual(labels);
    for (const label of labels) {
      const list = await api("GET", "/api/tasks", { key, query: { label } });
      expect(list.body.data.map(({ id }) => id)).toEqual([created.body.id]);
    }
  }
});

test("priority is one of four values, which the error lists", async ({ api }) => {
  for (const priority of ["low", "medium", "high", "critical"]) {
    const created = await api("POST", "/api/tasks", { body: { name: "x", priority } });
    expectStatus(created, 201);
    expect(created.body.priority).toBe(priority);
  }
  const { body: task } = await api("POST", "/api/tasks", { body: { name: "x" } });
  for (const priority of ["urgent", "LOW", " low", "", null, 1, ["low"]]) {
    for (const response of [
      await api("POST", "/api/tasks", { body: { name: "x", priority } }),
      await api("PATCH", `/api/tasks/${task.id}`, { body: { priority } }),
    ]) {
      expectError(response, 400, "invalid_param", "priority");
      expect(response.body.error.message).toMatch(/low.*medium.*high.*critical/);
    }
  }
});

test("An external_id longer than an index entry is stored whole, and found by its filter", async ({
  api,
  key,
}) => {
  const long = randomText(8000);
  for (const external_id of [long, `${long}x`, long.slice(1), randomText(500_000)]) {
    const created = await api("POST", "/api/tasks", { key, body: { name: "x", external_id } });
    const { id } = created.body;
    const read = await api("GET", `/api/tasks/${id}`, { key });
    expect(read.body.external_id === external_id).toBe(true);
    if (external_id.length > 10_000) continue; // more than a URL may have
    const list = await api("GET", "/api/tasks", { key, query: { external_id } });
    expect(list.body.data.map((one) => one.id)).toEqual([id]);
  }
});

function manyLabels() {
  return Array.from({ length: 50 }, (_, index) => String(index).padStart(100, "x"));
}
