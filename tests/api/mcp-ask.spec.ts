import type { ElicitRequestFormParams, ElicitResult } from "@modelcontextprotocol/client";
import { expectStatus } from "../support/expectations";
import { expect } from "../support/fixtures";
import { callTool, failTool, REVISIONS, test } from "../support/mcp";
import { sendMessage, TASKS } from "../support/mcp-messages";
import { APPROVE, COLOURS, FORM } from "../support/questions";

/** `ask_person` in clients that show their user forms, and in those that do not. */

const accept = (content: ElicitResult["content"]): ElicitResult => ({ action: "accept", content });

const RESULT_CHARACTERS_MAX = 20_000;

/** Longer than what a create returns of a text. */
const LONG = "Ada ".repeat(500).trim();

for (const revision of REVISIONS) {
  test(`In ${revision} a client with elicitation asks its user, and the call returns the answer`, async ({
    api,
    connect,
    key,
  }) => {
    const cases = [
      [APPROVE, accept({ answer: "approve" }), "approve"],
      [COLOURS, accept({ answer: "blue" }), "blue"],
      [{ prompt: "What name?", kind: "text" }, accept({ answer: LONG }), LONG],
      [
        FORM,
        accept({ host: "a.example", region: "eu", teams: ["ops"] }),
        { host: "a.example", region: "eu", teams: ["ops"] },
      ],
    ] as const;
    for (const caller of [key, undefined]) {
      for (const [question, result, answer] of cases) {
        const asked: ElicitRequestFormParams[] = [];
        const client = await connect({
          revision,
          ...(caller !== undefined && { key: caller }),
          elicit: (params) => {
            asked.push(params);
            return result;
          },
        });
        const done = await callTool(client, "ask_person", question);
        expect(done).toMatchObject({ state: "answered", answer, answered_by: "link" });
        expect(asked).toHaveLength(1);
        expect(asked[0]?.message).toBe(`An agent asks, in its own words:\n\n${question.prompt}`);
        const { requestedSchema } = asked[0] ?? {};
        if (question.kind === "form") expect(requestedSchema).toEqual(FORM.form);
        else expect(requestedSchema?.required).toEqual(["answer"]);
        const read = await api("GET", `/api/questions/${done.id}`, { key: caller });
        expect(read.body).toMatchObject({ state: "answered", answer });
      }
    }
  });

  test(`In ${revision} a question that is declined, canceled or answered wrongly goes on as a link`, async ({
    api,
    connect,
    key,
  }) => {
    const results: ElicitResult[] = [
      { action: "decline" },
      { action: "cancel" },
      accept({ answer: "perhaps" }),
      accept({}),
    ];
    for (const result of results) {
      const client = await connect({ revision, key, elicit: () => result });
      const started = performance.now();
      const open = await callTool(client, "ask_person", { ...APPROVE, context: "Read **me**." });
      expect(performance.now() - started).toBeLessThan(15_000);
      expect(open).toMatchObject({ state: "open", answer: null });
      const answer_token = new URL(String(open.answer_url)).hash.slice(1);
      const path = `/api/questions/${open.id}`;
      const body = { answer: "deny", answer_token };
      expectStatus(await api("POST", `${path}/answer`, { body }), 200);
      const waited = await callTool(client, "wait", { id: open.id });
      expect(waited).toMatchObject({ state: "answered", answer: "deny" });
      expect((await api("GET", "/api/questions?state=open", { key })).body.data).toEqual([]);
    }
  });

  test(`In ${revision} a question that was changed while the user read it goes on as a link`, async ({
    api,
    connect,
    key,
  }) => {
    const client = await connect({
      revision,
      key,
      async elicit() {
        const { body } = await api("GET", "/api/questions?state=open", { key });
        const changes = { prompt: "Delete the database?" };
        const path = `/api/questions/${body.data[0]?.id}`;
        expectStatus(await api("PATCH", path, { key, body: changes }), 200);
        return accept({ answer: "approve" });
      },
    });
    const open = await callTool(client, "ask_person", APPROVE);
    expect(open).toMatchObject({
      state: "open",
      answer: null,
      answer_url: expect.stringContaining("#ans_"),
    });
  });

  test(`In ${revision} nobody is asked in a client without elicitation, or instead of signing in`, async ({
    connect,
    key,
  }) => {
    const plain = await connect({ revision, key });
    expect(await callTool(plain, "ask_person", APPROVE)).toMatchObject({
      state: "open",
      answer_url: expect.stringContaining("#ans_"),
    });
    let forms = 0;
    const client = await connect({
      revision,
      elicit: () => {
        forms += 1;
        return accept({ answer: "approve" });
      },
    });
    const signed = await callTool(client, "ask_person", { ...APPROVE, require_sign_in: true });
    expect(signed).toMatchObject({ state: "open", claim_token: expect.any(String) });
    const bad = await client.callTool({ name: "ask_person", arguments: { kind: "approve" } });
    expect(bad.isError).toBe(true);
    expect(forms).toBe(0);
  });

  test(`In ${revision} a question that has already ended takes no answer, and the call says so`, async ({
    api,
    connect,
    key,
  }) => {
    const client = await connect({
      revision,
      key,
      async elicit() {
        const { body } = await api("GET", "/api/questions?state=open", { key });
        const id = body.data[0]?.id;
        expectStatus(await api("POST", `/api/questions/${id}/withdraw`, { key }), 200);
        return accept({ answer: "approve" });
      },
    });
    const done = await callTool(client, "ask_person", APPROVE);
    expect(done).toMatchObject({ state: "withdrawn", answer: null });
  });
}

test("An answer that cannot be taken for now is an error with the link, and the same call takes it later", async ({
  baseUrl,
  db,
}) => {
  const client = { capabilities: { elicitation: {} } };
  const call = { name: "ask_person", arguments: { ...APPROVE, prompt: "Fail for now?" } };
  const { result } = await sendMessage(baseUrl, "tools/call", call, client);
  const inputResponses = { answer: { action: "accept", content: { answer: "approve" } } };
  const { requestState } = result;
  const goOn = () =>
    sendMessage(baseUrl, "tools/call", { ...call, requestState, inputResponses }, client);
  const expectLink = async () => {
    const { isError, content } = (await goOn()).result;
    expect(isError).toBe(true);
    expect(JSON.parse(content?.[0]?.text ?? "")).toMatchObject({
      error: { code: "internal_error", doc_url: expect.stringContaining("#internal_error") },
      id: expect.stringMatching(/^qst_/),
      answer_url: expect.stringContaining("#ans_"),
      claim_token: expect.stringMatching(/^clm_/),
    });
  };
  const ofCall = "WHERE prompt = 'Fail for now?'";
  await db.query(`
    CREATE OR REPLACE FUNCTION refuse_answer() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'no answer'; END $$;
    CREATE TRIGGER refuse_answer BEFORE UPDATE OF state ON questions
    FOR EACH ROW WHEN (NEW.prompt = 'Fail for now?') EXECUTE FUNCTION refuse_answer()`);
  try {
    await expectLink();
    // Nor can the question be read.
    await db.query(`UPDATE questions SET options = '{' ${ofCall}`);
    await expectLink();
    await db.query(`UPDATE questions SET options = NULL ${ofCall}`);
  } finally {
    await db.query("DROP TRIGGER refuse_answer ON questions");
  }
  const { structuredContent } = (await goOn()).result;
  expect(structuredContent).toMatchObject({ state: "answered", answer: "approve" });
});

test("A public question that is declined keeps its claim token, and no other caller goes on with it", async ({
  baseUrl,
  key,
}) => {
  const capabilities = { elicitation: {} };
  const call = { name: "ask_person", arguments: APPROVE };
  const { result } = await sendMessage(baseUrl, "tools/call", call, { capabilities });
  expect(result).toMatchObject({ resultType: "input_required" });
  const declined = { ...call, inputResponses: { answer: { action: "decline" } } };
  const { requestState } = result;
  const goOn = (state: unknown, by: object) =>
    sendMessage(
      baseUrl,
      "tools/call",
      { ...declined, requestState: state },
      { capabilities, ...by },
    );
  for (const [state, by] of [
    [requestState, { key }],
    [`${requestState}x`, {}],
  ] as const) {
    expect((await goOn(state, by)).error).toMatchObject({ code: -32602 });
  }
  const open = (await goOn(requestState, {})).result.structuredContent;
  expect(open).toMatchObject({
    state: "open",
    answer_url: expect.stringContaining("#ans_"),
    claim_token: expect.stringMatching(/^clm_/),
  });
});

test("Retrying with the same Idempotency-Key does not ask again, and a question deleted in between is an error", async ({
  api,
  connect,
  key,
}) => {
  let forms = 0;
  const client = await connect({
    key,
    elicit: () => {
      forms += 1;
      return accept({ answer: "approve" });
    },
  });
  const args = { ...APPROVE, idempotency_key: "once" };
  const first = await callTool(client, "ask_person", args);
  expect(await callTool(client, "ask_person", args)).toMatchObject({
    id: first.id,
    answer: "approve",
  });
  expect(forms).toBe(1);
  for (const revision of REVISIONS) {
    const deleting = await connect({
      key,
      revision,
      async elicit() {
        const { body } = await api("GET", "/api/questions?state=open", { key });
        expectStatus(await api("DELETE", `/api/questions/${body.data[0]?.id}`, { key }), 204);
        return accept({ answer: "approve" });
      },
    });
    const gone = await failTool(deleting, "ask_person", APPROVE);
    expect(gone.code).toBe("resource_not_found");
  }
});

test("With tasks, a question that nobody answers in the client is a task until it is answered by its link", async ({
  api,
  baseUrl,
  key,
}) => {
  const call = { name: "ask_person", arguments: APPROVE };
  for (const [by, elicitation] of [
    [{ key }, undefined],
    [{}, {}],
  ] as const) {
    const client = {
      ...by,
      capabilities: { extensions: TASKS, ...(elicitation && { elicitation }) },
    };
    let { result: task } = await sendMessage(baseUrl, "tools/call", call, client);
    if (elicitation) {
      const { requestState } = task;
      const declined = { ...call, requestState, inputResponses: { answer: { action: "cancel" } } };
      ({ result: task } = await sendMessage(baseUrl, "tools/call", declined, client));
    }
    expect(task).toMatchObject({ resultType: "task", status: "working", ttlMs: 2_592_000_000 });
    const [, id, answer_token] =
      /\/answer\/(qst_\w+)#(ans_\w+)$/.exec(String(task.statusMessage)) ?? [];
    const poll = async () => {
      const { taskId } = task;
      return (await sendMessage(baseUrl, "tasks/get", { taskId }, client)).result;
    };
    expect(await poll()).toMatchObject({ status: "working", statusMessage: task.statusMessage });
    const body = { answer: "approve", answer_token };
    expectStatus(await api("POST", `/api/questions/${id}/answer`, { body }), 200);
    await expect.poll(async () => (await poll()).status).toBe("completed");
    expect((await poll()).result?.structuredContent).toMatchObject({
      id,
      answer: "approve",
      ...(elicitation && { claim_token: expect.stringMatching(/^clm_/) }),
    });
  }
});

test("The result of a task has its limit with the members that only the create had", async ({
  api,
  baseUrl,
}) => {
  const answered = async (context?: string) => {
    const call = { name: "ask_person", arguments: { ...APPROVE, context } };
    const { result: task } = await sendMessage(baseUrl, "tools/call", call);
    const [, id, answer_token] =
      /\/answer\/(qst_\w+)#(ans_\w+)$/.exec(String(task.statusMessage)) ?? [];
    const body = { answer: "approve", answer_token };
    expectStatus(await api("POST", `/api/questions/${id}/answer`, { body }), 200);
    const poll = () => sendMessage(baseUrl, "tasks/get", { taskId: task.taskId });
    await expect.poll(async () => (await poll()).result.status).toBe("completed");
    return JSON.stringify((await poll()).result.result);
  };
  const { length } = await answered();
  // Its text is in the result twice. Without those members, it would have a little less than the limit.
  const long = await answered("x".repeat((RESULT_CHARACTERS_MAX + 20 - length) / 2));
  expect(long).toContain('"claim_token":"clm_');
  expect(long.length).toBeLessThanOrEqual(RESULT_CHARACTERS_MAX);
});
