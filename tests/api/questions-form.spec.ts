import { eachOf, expectError, expectStatus } from "../support/expectations";
import { expect, test } from "../support/fixtures";
import { fieldsIn, formOf, post, textOf } from "../support/forms";
import { APPROVE, ask, FORM } from "../support/questions";

/** Questions that are answered with a form: a flat JSON Schema, as in MCP's elicitation. */

const ANSWER = {
  host: "a.example",
  region: "eu",
  mail: "ada@example.com",
  site: "https://example.com/",
  day: "2026-11-26",
  from: "2026-11-26T09:00:00+01:00",
  replicas: 2,
  share: 0.5,
  notify: true,
  teams: ["ops", "dev"],
};

test("A form is shown as it was asked, and its answer is an object with values of its types", async ({
  api,
  key,
}) => {
  const question = await ask(api, key, FORM);
  const stream = api("GET", `${question.path}?wait=20`, { key });
  expectStatus(await question.answer(ANSWER), 200);
  const { body } = await stream;
  expect(body).toMatchObject({ state: "answered", answer: ANSWER, form: FORM.form });
  const list = await api("GET", "/api/questions", { key });
  expect(list.body.data).toMatchObject([{ answer: ANSWER, form: FORM.form }]);
  const least = await ask(api, undefined, FORM);
  expectStatus(await least.answer({ host: "b.example", region: "us" }), 200);
  expectError(await least.answer({ host: "c.example", region: "us" }), 409, "question_answered");
});

test("An optional field may have any name", async ({ api, key }) => {
  const properties = { driver: { type: "string" }, constructor: { type: "string" } };
  const form = { type: "object", properties, required: ["driver"] };
  const { answer } = await ask(api, key, { prompt: "Who drives?", kind: "form", form });
  expect((await answer({ driver: "Ann" })).body.answer).toEqual({ driver: "Ann" });
});

test("A page shows nothing for a field without an answer, and bounds that a whole number can have", async ({
  api,
  baseUrl,
  key,
}) => {
  const form = {
    type: "object",
    properties: {
      driver: { type: "string" },
      constructor: { type: "string" },
      seats: { type: "integer", minimum: 0.5, maximum: 9.5 },
    },
  };
  const question = await ask(api, key, { prompt: "Who drives?", kind: "form", form });
  const path = `/answer/${question.id}`;
  const open = await formOf(baseUrl, path, "", "answer_token");
  const page = await open({ answer_token: question.answer_token });
  const send = async (typed: Record<string, string>) => {
    const fields = { ...fieldsIn(page.body, "answer.driver"), answer: "form", ...typed };
    return (await post(baseUrl, path, fields, { origin: baseUrl })).body;
  };
  const refused = await send({ "answer.driver": "Ann", "answer.seats": "10" });
  expect(refused).toContain('value="Ann"');
  for (const bound of ['min="1"', 'max="9"']) expect(refused).toContain(bound);
  const answered = await send({ "answer.driver": "Ann", "answer.seats": "2" });
  expect(textOf(answered)).toContain("driver: Ann");
  for (const shown of [refused, answered]) expect(shown).not.toContain("native code");
});

test("An answer that does not fit its form is refused with the field and what is allowed", async ({
  api,
  key,
}) => {
  const question = await ask(api, key, FORM);
  const { host, region } = ANSWER;
  await eachOf(
    [
      ["text", "approve", "answer", "an object"],
      ["nothing", {}, "answer.host", "required"],
      ["a list", ["a"], "answer", "object"],
      ["a text too short", { host: "a", region }, "answer.host", "2 to 100"],
      ["a text too long", { host: "a".repeat(101), region }, "answer.host", "2 to 100"],
      ["another choice", { host, region: "asia" }, "answer.region", '"eu" or "us"'],
      ["a wrong mail", { host, region, mail: "ada" }, "answer.mail", "email address"],
      ["a wrong URL", { host, region, site: "example" }, "answer.site", "https://example.com"],
      ["a wrong day", { host, region, day: "2026-02-30" }, "answer.day", "2026-11-26"],
      ["a time without a zone", { host, region, from: "2026-11-26T09:00" }, "answer.from", "Z"],
      ["half a replica", { host, region, replicas: 1.5 }, "answer.replicas", "integer from 1 to 9"],
      ["ten replicas", { host, region, replicas: 10 }, "answer.replicas", "from 1 to 9"],
      ["a number as text", { host, region, share: "0.5" }, "answer.share", "number"],
      ["a yes as text", { host, region, notify: "on" }, "answer.notify", "true or false"],
      ["a team twice", { host, region, teams: ["ops", "ops"] }, "answer.teams", '"ops"'],
      ["an unknown team", { host, region, teams: ["hr"] }, "answer.teams.0", '"ops", "dev"'],
      ["all teams", { host, region, teams: ["ops", "dev", "web"] }, "answer.teams", "at most 2"],
      ["another field", { host, region, port: 1 }, "answer.port", "host, region"],
    ] as const,
    async ([, answer, param, words]) => {
      const refused = await question.answer(answer);
      expectStatus(refused, 400);
      expect(refused.body.error.param).toBe(param);
      expect(refused.body.error.message).toContain(words);
    },
  );
  expect((await api("GET", question.path, { key })).body.state).toBe("open");
  const other = await ask(api, key);
  expectError(await other.answer({ approve: true }), 400, "invalid_param", "answer");
});

test("A form that nests, is too large or that nothing fits is refused with the field", async ({
  api,
  key,
}) => {
  const of = (properties: object, more = {}) => ({
    form: { type: "object", properties, ...more },
  });
  const many = Array.from({ length: 21 }, (_, n) => [`f${n}`, { type: "boolean" }] as const);
  const [text, at] = [{ type: "string" }, "form.properties.a"];
  const choice = (_: unknown, n: number) => ({ const: `${n}`, title: `Choice ${n}` });
  const choices = (count: number) =>
    Object.fromEntries(
      [80, 80, 80, 80, 80, 80, count - 480].map((length, field) => {
        return [`f${field}`, { ...text, oneOf: Array.from({ length }, choice) }];
      }),
    );
  await eachOf(
    [
      ["an object inside", of({ a: { type: "object", properties: { b: text } } }), `${at}.type`],
      ["objects in a list", of({ a: { type: "array", items: { type: "object" } } }), `${at}.items`],
      ["texts in a list", of({ a: { type: "array", items: text } }), `${at}.items`],
      ["a reference", of({ a: { $ref: "#/properties/a" } }), `${at}.type`],
      ["two types", of({ a: { type: ["string", "null"] } }), `${at}.type`],
      ["a pattern", of({ a: { ...text, pattern: "(a+)+$" } }), `${at}.pattern`],
      ["no object", of({ a: "string" }), at],
      ["an unknown format", of({ a: { ...text, format: "phone" } }), `${at}.format`],
      ["a choice twice", of({ a: { ...text, enum: ["x", "x"] } }), `${at}.enum`],
      ["a name too few", of({ a: { ...text, enum: ["x", "y"], enumNames: ["X"] } }), at],
      ["bounds without room", of({ a: { type: "integer", minimum: 2, maximum: 1 } }), at],
      ["a default that does not fit", of({ a: { ...text, enum: ["x"], default: "y" } }), at],
      [
        "a required field that is not there",
        of({ a: text }, { required: ["b"] }),
        "form.required.0",
      ],
      ["a name with spaces", of({ "a b": text }), "form.properties.a b"],
      [
        "a prototype",
        JSON.parse('{"form":{"type":"object","properties":{"__proto__":{"type":"string"}}}}'),
        "form.properties",
      ],
      [
        "a prototype beside a field",
        JSON.parse(
          '{"form":{"type":"object","properties":{"a":{"type":"string"},"__proto__":{"type":"array"}}}}',
        ),
        "form.properties.__proto__",
      ],
      ["no field", of({}), "form.properties"],
      ["21 fields", of(Object.fromEntries(many)), "form.properties"],
      ["501 choices", of(choices(501)), "form.properties"],
      ["a list", { form: [] }, "form"],
      ["no form", {}, "form"],
      ["options", { ...of({ a: text }), options: [{ id: "a", label: "A" }] }, "options"],
    ] as const,
    async ([, part, param]) => {
      const body = { prompt: "Where to?", kind: "form", ...part };
      const response = await api("POST", "/api/questions", { key, body });
      expectStatus(response, 400);
      expect(response.body.error.param).toBe(param);
    },
  );
  await ask(api, key, { prompt: "Where to?", kind: "form", ...of(choices(500)) });
  const body = { ...APPROVE, form: FORM.form };
  expectError(await api("POST", "/api/questions", { key, body }), 400, "invalid_param", "form");
});
