import { changesOf } from "../support/changes";
import { eachOf, expectError, expectStatus } from "../support/expectations";
import { expect, test } from "../support/fixtures";
import { fieldsIn, formOf, post } from "../support/forms";
import { randomText } from "../support/keys";
import { whileLocked, whileUncommitted } from "../support/locks";
import { cookieOf, makePerson } from "../support/people";
import { APPROVE, ask, COLOURS } from "../support/questions";

/** Questions to a person, and their answers. */

test("An agent that waits gets the answer from whoever has the link, and cannot answer itself", async ({
  api,
  key,
}) => {
  for (const caller of [key, undefined]) {
    const question = await ask(api, caller, COLOURS);
    expect(question.answer_url).toMatch(new RegExp(`/answer/${question.id}#ans_[0-9A-Za-z]{32}$`));
    const waiting = api("GET", `${question.path}?wait=20`, { key: caller });
    expectStatus(await question.answer("green"), 400);
    expectError(await question.answer("red", {}), 403, "forbidden");
    if (caller) {
      const body = { answer: "red", answer_token: question.answer_token };
      expectError(await api("POST", `${question.path}/answer`, { key, body }), 403, "forbidden");
    }
    expectStatus(await question.answer("red"), 200);
    const answered = { state: "answered", answer: "red", answered_by: "link" };
    expect((await waiting).body).toMatchObject(answered);
    const read = await api("GET", question.path, { key: caller });
    expect(read.body).toMatchObject(answered);
    expect(read.text).not.toContain("ans_");
    const again = await question.answer("blue");
    expectError(again, 409, "question_answered");
    expect(again.body.error.message).toContain(`by its link at ${read.body.answered_at}`);
  }
});

test("Of simultaneous answers one wins, and the others get 409 with who and when", async ({
  api,
  db,
  key,
}) => {
  const question = await ask(api, key);
  // All have found it open before the first one is written.
  const all = await whileLocked(
    db,
    { table: "questions", id: question.id },
    ...["approve", "deny", "approve", "deny"].map((text) => () => question.answer(text)),
  );
  const won = all.filter(({ status }) => status === 200);
  expect(won).toHaveLength(1);
  for (const lost of all.filter((one) => one !== won[0])) {
    expectError(lost, 409, "question_answered");
    expect(lost.body.error.message).toContain(`by its link at ${won[0]?.body.answered_at}`);
  }
  const read = await api("GET", question.path, { key });
  expect(read.body.answer).toBe(won[0]?.body.answer);
  // It appears once the transactions before it have ended, also those of other tests.
  await expect
    .poll(() => changesOf(api, key, { kind: "questions", action: "answered" }))
    .toMatchObject([{ resource_id: question.id, actor: null }]);
});

test("A question that expires says so at its second, wakes its agent, and denies if it was to", async ({
  api,
  db,
  key,
}) => {
  for (const on_expiry of ["expire", "deny"]) {
    const question = await ask(api, key, { ...APPROVE, expires_in: 60, on_expiry });
    const end = "UPDATE questions SET expires_at = unix_now() + 2 WHERE id = $1";
    await db.query(end, [question.id]);
    const { body } = await api("GET", `${question.path}?wait=20`, { key });
    const answer = on_expiry === "deny" ? "deny" : null;
    expect(body).toMatchObject({ state: "expired", answer, answered_by: null, answered_at: null });
    expectError(await question.answer("approve"), 409, "question_closed");
    const change = { key, body: { expires_in: 600 } };
    expectError(await api("PATCH", question.path, change), 409, "question_closed");
    const expired = await api("GET", "/api/questions?state=expired", { key });
    expect(expired.body.data.map(({ id }: { id: string }) => id)).toContain(question.id);
  }
  expect((await api("GET", "/api/questions?state=open", { key })).body.data).toEqual([]);
});

test("A withdrawn question takes no answer, and a changed one takes none for what it was", async ({
  api,
  db,
  key,
}) => {
  const question = await ask(api, key);
  const { headers } = await api("GET", question.path, { key });
  expectStatus(await api("PATCH", question.path, { key, body: { prompt: "Delete all?" } }), 200);
  const body = { answer: "approve", answer_token: question.answer_token };
  const stale = { body, headers: { "if-match": headers.get("etag") ?? "" } };
  expectError(await api("POST", `${question.path}/answer`, stale), 412, "precondition_failed");
  const etag = (await api("GET", question.path, { key })).headers.get("etag") ?? "";
  const fresh = { body, headers: { "if-match": etag } };
  const change = `UPDATE questions SET prompt = 'Drop all?', revision = revision + 1
    WHERE id = '${question.id}'`;
  const late = await whileUncommitted(db, [change], "UPDATE questions SET state = 'answered'", () =>
    api("POST", `${question.path}/answer`, fresh),
  );
  expectError(late, 412, "precondition_failed");
  for (let times = 0; times < 2; times += 1) {
    const withdrawn = await api("POST", `${question.path}/withdraw`, { key });
    expectStatus(withdrawn, 200);
    expect(withdrawn.body.state).toBe("withdrawn");
  }
  expectError(await question.answer("approve"), 409, "question_closed");
});

test("A question that changed after its page was opened takes no answer from it", async ({
  api,
  baseUrl,
  key,
}) => {
  const question = await ask(api, key);
  const path = `/answer/${question.id}`;
  const open = await formOf(baseUrl, path, "", "answer_token");
  const page = await open({ answer_token: question.answer_token });
  expect(page.body).toContain("Deploy version 2?");
  expectStatus(await api("PATCH", question.path, { key, body: { prompt: "Delete all?" } }), 200);
  const fields = { ...fieldsIn(page.body, "answer"), answer: "approve" };
  const answered = await post(baseUrl, path, fields, { origin: baseUrl });
  expect(answered.body).toContain("The question has changed.");
  expect(answered.body).toContain("Delete all?");
  expect((await api("GET", question.path, { key })).body.state).toBe("open");
});

test("An answer from a page that another account opened is refused", async ({
  api,
  baseUrl,
  db,
  key,
  organization,
}) => {
  const question = await ask(api, key);
  const path = `/answer/${question.id}`;
  const session = async () => cookieOf(db, (await makePerson(db, organization.id)).id);
  const open = await formOf(baseUrl, path, await session(), "answer_token");
  const page = await open({ answer_token: question.answer_token });
  const fields = { ...fieldsIn(page.body, "answer"), answer: "approve" };
  const headers = { origin: baseUrl, cookie: await session() };
  const refused = await post(baseUrl, path, fields, headers);
  expect(refused.body).toContain("This page belongs to another organization or account");
  expect((await api("GET", question.path, { key })).body.state).toBe("open");
});

test("What cannot be a question or an answer is refused with the field", async ({ api, key }) => {
  const [first] = COLOURS.options;
  await eachOf(
    [
      ["a single option", { ...COLOURS, options: [first] }, "options"],
      ["an option twice", { ...COLOURS, options: [first, first] }, "options.1.id"],
      ["a choice without options", { ...COLOURS, options: undefined }, "options"],
      ["options to approve", { ...APPROVE, options: COLOURS.options }, "options"],
      ["no prompt", { ...APPROVE, prompt: "" }, "prompt"],
      ["the past", { ...APPROVE, expires_in: -1 }, "expires_in"],
      ["a choice denied by time", { ...COLOURS, on_expiry: "deny" }, "on_expiry"],
      ["approval by time", { ...APPROVE, on_expiry: "approve" }, "on_expiry"],
    ] as const,
    async ([, body, param]) => {
      const response = await api("POST", "/api/questions", { key, body });
      expectStatus(response, 400);
      expect(response.body.error.param).toBe(param);
    },
  );
  const question = await ask(api, key);
  const refused = await question.answer("maybe");
  expectError(refused, 400, "invalid_param", "answer");
  expect(refused.body.error.message).toContain("approve, deny");
  for (const answer_token of ["ans_", question.answer_token.slice(0, -1)]) {
    const wrong = await question.answer("deny", { answer_token });
    expectError(wrong, 403, "invalid_answer_token", "answer_token");
  }
});

test("A question that requires a sign-in takes no answer by its link alone", async ({
  api,
  key,
}) => {
  const question = await ask(api, key, { ...APPROVE, require_sign_in: true });
  expectError(await question.answer("approve"), 403, "forbidden");
  expect((await api("GET", question.path, { key })).body).toMatchObject({
    state: "open",
    require_sign_in: true,
  });
});

test("The link still works after a claim", async ({ api, key }) => {
  const question = await ask(api, undefined);
  const body = { claim_token: question.claim_token };
  expectStatus(await api("POST", `/api/claim/${question.id}`, { key, body }), 200);
  expectStatus(await question.answer("deny"), 200);
  expect((await api("GET", question.path, { key })).body.answer).toBe("deny");
});

test("After a claim only the link still shows what was to be read with a question", async ({
  api,
  baseUrl,
  key,
}) => {
  const question = await ask(api, undefined, { ...APPROVE, context: "The plan of ours" });
  const frameOf = (html: string) => /\/questions\/[\w/-]+\/view/.exec(html)?.[0] ?? "none";
  const read = async (path: string) => (await fetch(baseUrl + path)).text();
  const ofStranger = frameOf(await read(`/questions/${question.id}`));
  const open = await formOf(baseUrl, `/answer/${question.id}`, "", "answer_token");
  const ofHolder = frameOf((await open({ answer_token: question.answer_token })).body);
  for (const frame of [ofStranger, ofHolder]) expect(await read(frame)).toContain("The plan");
  const body = { claim_token: question.claim_token };
  expectStatus(await api("POST", `/api/claim/${question.id}`, { key, body }), 200);
  expect(await read(ofStranger)).toBe("Not found.");
  expect(await read(ofHolder)).toContain("The plan");
});

test("Who has the link reads the document of a question while it is open, and its owner after that", async ({
  api,
  baseUrl,
  key,
}) => {
  const document = { name: "Plan", format: "markdown", content: "The plan of today" };
  const { id: artifact_id } = (await api("POST", "/api/artifacts", { key, body: document })).body;
  const task = await api("POST", "/api/tasks", { key, body: { name: "Deploy version 7" } });
  const about = { artifact_id, task_id: task.body.id, external_id: `ext-${task.body.id}` };
  const question = await ask(api, key, { ...APPROVE, ...about, context: "Why" });
  const framesOf = (html: string) => [...html.matchAll(/\/questions\/[\w/-]+\/view/g)].map(String);
  const open = await formOf(baseUrl, `/answer/${question.id}`, "", "answer_token");
  const page = async () => (await open({ answer_token: question.answer_token })).body;
  const show = async () => framesOf(await page()).filter((path) => path.includes("/artifact/"));
  const [frame = ""] = await show();
  const read = async (path: string) => (await fetch(baseUrl + path)).text();
  expect(await read(frame)).toContain("The plan of today");
  expect(await page()).toContain("Deploy version 7");
  expect(await page()).not.toContain(about.external_id);
  const told = { artifact_id: null, task_id: null, external_id: null };
  expect((await question.answer("deny")).body).toMatchObject({ state: "answered", ...told });
  expect((await api("GET", question.path, { key })).body).toMatchObject(about);
  const body = { content: "The secret of tomorrow" };
  expectStatus(await api("PATCH", `/api/artifacts/${artifact_id}`, { key, body }), 200);
  expect(await read(frame)).toBe("Not found.");
  expect(await show()).toEqual([]);
  expect(await page()).not.toContain("Deploy version 7");
  expect(await read(frame.replace("/artifact/", "/context/"))).toBe("Not found.");
});

test("The link of a question shows who asks, but not the address of a person", async ({
  api,
  baseUrl,
  db,
  key,
  organization: { id },
}) => {
  const question = await ask(api, key);
  const open = await formOf(baseUrl, `/answer/${question.id}`, "", "answer_token");
  for (const [name, isShown] of [
    [`Team ${randomText(12)}`, true],
    [`${randomText(12)}@example.com`, false],
  ] as const) {
    await db.query("UPDATE organizations SET name = $2 WHERE id = $1", [id, name]);
    const { body } = await open({ answer_token: question.answer_token });
    expect(body.includes(name)).toBe(isShown);
    expect(body.includes("An agent with an account")).toBe(!isShown);
  }
});
