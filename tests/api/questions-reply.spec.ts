import { changesOf } from "../support/changes";
import { eachOf, expectError, expectStatus } from "../support/expectations";
import { expect, test } from "../support/fixtures";
import { type InboxClient, inboxClient, makeInbox } from "../support/inboxes";
import { randomText } from "../support/keys";
import { APPROVE, ask } from "../support/questions";
import { sweep } from "../support/sweep";
import { startTarget } from "../support/target";

/** How a question ended, told to whoever asked. */

/** The questions in the events of an inbox, by the type of the event. */
async function heard(inbox: InboxClient): Promise<[type: string, question: unknown][]> {
  return (await inbox.events()).map((event) => {
    const { type, data } = event.parsed_body as { type: string; data: unknown };
    return [type, data];
  });
}

test("The inbox of a question hears every end of it once, as a read shows it", async ({
  api,
  db,
  key,
}) => {
  for (const caller of [key, undefined]) {
    const inbox = await makeInbox(api, {}, caller);
    const body = { ...APPROVE, on_expiry: "deny", reply_to: { inbox_id: inbox.id } };
    const [answered, withdrawn, expired] = await Promise.all([
      ask(api, caller, body),
      ask(api, caller, body),
      ask(api, caller, body),
    ]);
    expectStatus(await answered.answer("approve"), 200);
    expectError(await answered.answer("deny"), 409, "question_answered");
    for (let times = 0; times < 2; times += 1) {
      expectStatus(await api("POST", `${withdrawn.path}/withdraw`, { key: caller }), 200);
    }
    expect((await heard(inbox)).map(([type]) => type)).toEqual([
      "questions.answered",
      "questions.withdrawn",
    ]);
    await db.query("UPDATE questions SET expires_at = 0 WHERE id = $1", [expired.id]);
    await expect
      .poll(async () => {
        await sweep(api, db);
        return (await heard(inbox)).map(([type]) => type);
      })
      .toEqual(["questions.answered", "questions.withdrawn", "questions.expired"]);
    const read = await Promise.all(
      [answered, withdrawn, expired].map(({ path }) => api("GET", path, { key: caller })),
    );
    expect((await heard(inbox)).map(([, data]) => data)).toEqual(read.map(({ body }) => body));
    expect(read[0]?.body).toMatchObject({ reply_to: { inbox_id: inbox.id } });
  }
});

test("A URL hears the answer by a signed message, and whoever answers does not learn the URL", async ({
  api,
  key,
}) => {
  const target = await startTarget();
  try {
    for (const caller of [key, undefined]) {
      const reply_to = { url: `${target.url}/${caller ? "owned" : "public"}?secret=1` };
      const question = await ask(api, caller, { ...APPROVE, reply_to });
      const answered = await question.answer("approve");
      expectStatus(answered, 200);
      expect(answered.text).not.toContain("secret=1");
      const got = () => target.received.find(({ path }) => reply_to.url.endsWith(path));
      await expect
        .poll(async () => {
          await api("POST", "/api/messages/dispatch");
          return got() !== undefined;
        })
        .toBe(true);
      const { body: read } = await api("GET", question.path, { key: caller });
      expect(JSON.parse(got()?.body.toString() ?? "")).toEqual({
        type: "questions.answered",
        data: read,
      });
      expect(got()?.headers["webhook-signature"]).toContain("v1");
    }
    const changes = () => changesOf(api, key, { kind: "messages" });
    await expect
      .poll(async () => (await changes()).map(({ action }) => action))
      .toEqual(["created", "delivered"]);
  } finally {
    await target.stop();
  }
});

test("An answer is not refused for a URL whose host fits into no index", async ({
  api,
  db,
  key,
}) => {
  const question = await ask(api, key, { ...APPROVE, reply_to: { url: "https://a.example" } });
  // Stored before such hosts were refused.
  const reply = JSON.stringify({ url: `https://${randomText(3000)}` });
  await db.query("UPDATE questions SET reply_to = $1 WHERE id = $2", [reply, question.id]);
  expectStatus(await question.answer("approve"), 200);
});

test("An answer is never refused for a full inbox, which hears it when it has room", async ({
  api,
  db,
  key,
}) => {
  const inbox = await makeInbox(api, { max_events: 1 }, key);
  const first = await inbox.ingest({ raw: "Full" });
  const question = await ask(api, key, { ...APPROVE, reply_to: { inbox_id: inbox.id } });
  expectStatus(await question.answer("deny"), 200);
  await sweep(api, db);
  expect((await inbox.events()).map(({ id }) => id)).toEqual([first.id]);
  await db.query(
    "UPDATE inbox_events SET expires_at = 1, lapses_at = to_timestamp(1) WHERE id = $1",
    [first.id],
  );
  await expect
    .poll(async () => {
      await sweep(api, db);
      return (await heard(inbox)).map(([type]) => type);
    })
    .toEqual(["questions.answered"]);
});

test("A reply goes only to the owner's inboxes and to allowed URLs, and stays what the create said", async ({
  api,
  key,
  otherOrganization,
}) => {
  const [own, open] = await Promise.all([makeInbox(api, {}, key), makeInbox(api)]);
  const foreign = await makeInbox(api, {}, otherOrganization.key);
  const url = "https://example.com/hook";
  await eachOf(
    [
      ["both", { inbox_id: own.id, url }, 400, "reply_to"],
      ["neither", {}, 400, "reply_to"],
      ["a private address", { url: "http://10.0.0.1/" }, 400, "reply_to.url"],
      ["a long host", { url: `http://${"x".repeat(254)}` }, 400, "reply_to.url"],
      ["a file", { url: "file:///etc/passwd" }, 400, "reply_to.url"],
      ["a public inbox", { inbox_id: open.id }, 400, "reply_to.inbox_id"],
      ["an unknown inbox", { inbox_id: "inbox_0" }, 404, "reply_to.inbox_id"],
      ["an inbox of others", { inbox_id: foreign.id }, 403, undefined],
    ] as const,
    async ([, reply_to, status, param]) => {
      const body = { ...APPROVE, reply_to };
      const response = await api("POST", "/api/questions", { key, body });
      expectStatus(response, status);
      expect(response.body.error.param ?? undefined).toBe(param);
    },
  );
  const upsert = (reply_to: unknown) =>
    api("PUT", "/api/questions/external/same", { key, body: { ...APPROVE, reply_to } });
  expectStatus(await upsert({ url }), 201);
  expectStatus(await upsert({ url }), 200);
  expectError(await upsert({ url: "https://example.com/" }), 400, "invalid_param", "reply_to");
  expectError(await upsert(null), 400, "invalid_param", "reply_to");
});

test("A claim of a question shows where its reply goes, and one without its inbox tells nobody", async ({
  api,
  key,
}) => {
  const inbox = await makeInbox(api);
  const question = await ask(api, undefined, { ...APPROVE, reply_to: { inbox_id: inbox.id } });
  const body = { claim_token: question.claim_token, dry_run: true };
  const shown = await api("POST", "/api/claims", { key, body });
  const target = { resource_id: question.id, setting: "target", value: inbox.id };
  expect(shown.body.settings).toMatchObject([{ ...target, survives_claim: true }]);
  const claim = { key, body: { claim_token: question.claim_token } };
  expectStatus(await api("POST", `/api/claim/${question.id}`, claim), 200);
  expectStatus(await question.answer("approve"), 200);
  expect(await inboxClient(api, inbox.id).events()).toEqual([]);
});
