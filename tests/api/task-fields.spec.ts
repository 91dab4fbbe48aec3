import { expectError, expectStatus } from "../support/expectations";
import { expect, test } from "../support/fixtures";
import { randomText } from "../support/keys";

/** The fields of a task: what is stored verbatim, and what is refused. */

const LONGEST = 9_007_199_254_740_991;

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

  const TOO_LONG: Array<[body: object, param: string]> = [
    [{ name: "😀".repeat(201) }, "name"],
    [{ name: "x".repeat(201) }, "name"],
    [{ name: "x", labels: ["ok", "𝒳".repeat(101)] }, "labels.1"],
    [{ name: "x", description: "x".repeat(1_000_001) }, "description"],
  ];
  for (const [body, param] of TOO_LONG) {
    expectError(await api("POST", "/api/tasks", { body }), 400, "invalid_param", param);
    expectError(
      await api("PATCH", `/api/tasks/${created.body.id}`, { body }),
      400,
      "invalid_param",
      param,
    );
  }
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
for (const text of VERBATIM) {
  test(`The string ${JSON.stringify(text)} is stored verbatim`, async ({ api, key }) => {
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
  });
}

test("An empty description or external_id stays an empty string", async ({ api }) => {
  const created = await api("POST", "/api/tasks", {
    body: { name: "x", description: "", external_id: "" },
  });
  expectStatus(created, 201);
  expect(created.body).toMatchObject({ description: "", external_id: "" });
});

const UNSTORABLE: Array<[title: string, escaped: string]> = [
  ["U+0000", "a\\u0000b"],
  ["a lone high surrogate", "a\\ud83d"],
  ["a lone low surrogate", "\\ude00a"],
  ["surrogates the wrong way round", "\\ude00\\ud83d"],
];
for (const [title, text] of UNSTORABLE) {
  test(`${title} is refused in every string`, async ({ api }) => {
    const { body: task } = await api("POST", "/api/tasks", { body: { name: "x" } });
    const CASES: Array<[raw: string, param: string]> = [
      [`{"name":"${text}"}`, "name"],
      [`{"name":"x","description":"${text}"}`, "description"],
      [`{"name":"x","labels":["ok","${text}"]}`, "labels.1"],
      [`{"name":"x","external_id":"${text}"}`, "external_id"],
    ];
    for (const [raw, param] of CASES) {
      expectError(await api("POST", "/api/tasks", { raw }), 400, "invalid_param", param);
      expectError(
        await api("PATCH", `/api/tasks/${task.id}`, { raw }),
        400,
        "invalid_param",
        param,
      );
    }
  });
}

test("An escaped surrogate pair is one character", async ({ api }) => {
  const created = await api("POST", "/api/tasks", { raw: '{"name":"\\ud83d\\ude00"}' });
  expect(created.body.name).toBe("😀");
});

test("due_at stores every integer in its range", async ({ api }) => {
  for (const due_at of [
    LONGEST,
    -LONGEST,
    0,
    -1,
    1,
    1_799_999_999,
    2 ** 31,
    2 ** 32,
    -(2 ** 40),
    null,
  ]) {
    const created = await api("POST", "/api/tasks", { body: { name: "x", due_at } });
    expectStatus(created, 201);
    expect(created.body.due_at).toBe(due_at);
    const read = await api("GET", `/api/tasks/${created.body.id}`);
    expect(read.body.due_at).toBe(due_at);
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

test("due_at is refused out of range, and when it is not an integer", async ({ api }) => {
  const { body: task } = await api("POST", "/api/tasks", { body: { name: "x", due_at: 5 } });
  const BAD = [
    "9007199254740992",
    "-9007199254740992",
    "1e300",
    "1e400",
    "-1e400",
    "1.5",
    '"1"',
    '"2030-01-01"',
    "true",
    "[]",
    "{}",
  ];
  for (const value of BAD) {
    const raw = `{"name":"x","due_at":${value}}`;
    expectError(await api("POST", "/api/tasks", { raw }), 400, "invalid_param", "due_at");
    expectError(
      await api("PATCH", `/api/tasks/${task.id}`, { raw }),
      400,
      "invalid_param",
      "due_at",
    );
  }
  const read = await api("GET", `/api/tasks/${task.id}`);
  expect(read.body.due_at).toBe(5);
});

test("An integer may have any JSON notation", async ({ api }) => {
  const created = await api("POST", "/api/tasks", { raw: '{"name":"x","due_at":1.5e3}' });
  expect(created.body.due_at).toBe(1500);
});

test("Fifty labels of a hundred characters are accepted, and no more or longer ones", async ({
  api,
}) => {
  const labels = Array.from({ length: 50 }, (_, i) => String(i).padStart(100, "x"));
  const created = await api("POST", "/api/tasks", { body: { name: "x", labels } });
  expectStatus(created, 201);
  expect(created.body.labels).toEqual(labels);

  const CASES: Array<[labels: unknown, param: string]> = [
    [[...labels, "one more"], "labels"],
    [["a", "b", "c", "x".repeat(101)], "labels.3"],
    [["a", ""], "labels.1"],
    [["a", null], "labels.1"],
    [[5], "labels.0"],
    [[["a"]], "labels.0"],
    ["a", "labels"],
    [{ 0: "a" }, "labels"],
    [5, "labels"],
  ];
  for (const [bad, param] of CASES) {
    expectError(
      await api("POST", "/api/tasks", { body: { name: "x", labels: bad } }),
      400,
      "invalid_param",
      param,
    );
    const path = `/api/tasks/${created.body.id}`;
    expectError(await api("PATCH", path, { body: { labels: bad } }), 400, "invalid_param", param);
  }
});

test("Labels keep their order and duplicates", async ({ api }) => {
  const labels = ["b", "a", "b", "B", " b"];
  const created = await api("POST", "/api/tasks", { body: { name: "x", labels } });
  expect(created.body.labels).toEqual(labels);
});

test("Labels with characters of Postgres array syntax read back unchanged", async ({
  api,
  key,
}) => {
  const labels = ["{a,b}", '"quoted"', "back\\slash", "a,b", "NULL", "{}", "'"];
  const created = await api("POST", "/api/tasks", {
    key,
    body: { name: "x", labels },
  });
  expect(created.body.labels).toEqual(labels);
  for (const label of labels) {
    const list = await api("GET", "/api/tasks", { key, query: { label } });
    expect(list.body.data.map(({ id }) => id)).toEqual([created.body.id]);
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

test("name must be a string of 1 to 200 characters, on create and update", async ({ api }) => {
  const { body: task } = await api("POST", "/api/tasks", { body: { name: "x" } });
  for (const name of ["", "x".repeat(201), null, 5, true, ["x"], { x: 1 }]) {
    for (const response of [
      await api("POST", "/api/tasks", { body: { name } }),
      await api("PATCH", `/api/tasks/${task.id}`, { body: { name } }),
    ]) {
      expectError(response, 400, "invalid_param", "name");
    }
  }
  for (const name of ["y", "x".repeat(200)]) {
    expectStatus(await api("POST", "/api/tasks", { body: { name } }), 201);
  }
});

test("description and external_id must be strings or null", async ({ api }) => {
  const { body: task } = await api("POST", "/api/tasks", { body: { name: "x" } });
  for (const field of ["description", "external_id"]) {
    for (const value of [5, false, [], {}]) {
      const body = { [field]: value };
      expectError(
        await api("POST", "/api/tasks", { body: { name: "x", ...body } }),
        400,
        "invalid_param",
        field,
      );
      expectError(
        await api("PATCH", `/api/tasks/${task.id}`, { body }),
        400,
        "invalid_param",
        field,
      );
    }
  }
});

test("An external_id of half a million characters is stored whole", async ({ api, key }) => {
  const external_id = randomText(500_000);
  const created = await api("POST", "/api/tasks", {
    key,
    body: { name: "x", external_id },
  });
  expectStatus(created, 201);
  const read = await api("GET", `/api/tasks/${created.body.id}`, { key });
  expect(read.body.external_id === external_id).toBe(true);
});

test("An external_id longer than an index entry is found by its filter", async ({ api, key }) => {
  const long = randomText(8000);
  const ids = new Map<string, string>();
  for (const external_id of [long, `${long}x`, long.slice(1), randomText(500_000)]) {
    const created = await api("POST", "/api/tasks", {
      key,
      body: { name: "x", external_id },
    });
    ids.set(external_id, created.body.id);
  }
  for (const external_id of [long, `${long}x`, long.slice(1)]) {
    const list = await api("GET", "/api/tasks", { key, query: { external_id } });
    expect(list.body.data.map(({ id }) => id)).toEqual([ids.get(external_id)]);
  }
});
