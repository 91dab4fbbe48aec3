import type { Pool } from "pg";
import { expectStatus } from "../support/expectations";
import { expect, QUIET, test } from "../support/fault-fixtures";
import { formOf } from "../support/forms";
import type { Api } from "../support/http";
import type { Mailbox } from "../support/mailbox";
import { cookieOf, makePerson, type Person } from "../support/people";
import { ask } from "../support/questions";
import { rowsOf } from "../support/rows";

test("Two servers send each digest once, at most one an hour, and a refused one later", async ({
  startTwo,
  db,
  organization: { id, key },
  startMailbox,
}) => {
  const mailbox = await startMailbox();
  const servers = await startTwo({
    ...QUIET,
    MESSAGE_MAX_ATTEMPTS: "1",
    MAIL_TRANSPORT: "smtp",
    SMTP_URL: mailbox.url,
  });
  const [{ api, baseUrl }] = servers;
  const name = "Evil <b>name</b>\r\nBcc: victim@example.com";
  await rowsOf(db).organization.update({ where: { id }, data: { name } });
  const person = await makePerson(db, id);
  // An owner hears of failed messages until they choose otherwise, a member of nothing.
  const owner = await makePerson(db, id);
  const silent = await makePerson(db, id, "member");
  const dispatch = () =>
    Promise.all(servers.map((server) => server.api("POST", "/api/messages/dispatch")));
  await choose(db, baseUrl, person, ["messages", "inboxes", "agents"]);
  await dispatch();
  expect(mailbox.mails).toEqual([]);

  await fail(api, db, key);
  const inbox = await api("POST", "/api/inboxes", {
    key,
    body: { name: "Jobs\r\nSubject: forged\r\n\r\n<script>", max_events: 10 },
  });
  for (let n = 0; n < 9; n += 1) {
    await api("POST", `/api/inboxes/${inbox.body.id}/events`, { key, body: { n } });
  }
  await db.query(
    `INSERT INTO agent_registrations (id, type, requested_credential_type, login_hint, claim_token_expires_at)
     VALUES ('reg_waiting', 'service_auth', 'api_key', $1, unix_now() + 999)`,
    [person.email],
  );
  // Backdates the events by half a minute, and the last check by a minute.
  await db.query(
    `UPDATE scheduled_messages SET delivered_at = delivered_at - 30,
       last_error = 'redirect_not_followed: The target returned 302 and points to /?secret=1.'
     WHERE delivered_at IS NOT NULL`,
  );
  await db.query("UPDATE agent_registrations SET created_at = created_at - 30");
  await db.query("UPDATE notice_settings SET reported_until = unix_now() - 60, due_at = 0");
  const secondsLeft = async () => {
    const { rows } = await db.query<{ seconds: string }>(
      "SELECT due_at - unix_now() AS seconds FROM notice_settings WHERE user_id = $1",
      [person.id],
    );
    return Number(rows[0]?.seconds);
  };
  // An address that no longer exists is left alone for a day.
  mailbox.refuse(550);
  await dispatch();
  expect(await secondsLeft()).toBeGreaterThan(80_000);
  await db.query("UPDATE notice_settings SET due_at = unix_now()");
  mailbox.refuse(true);
  await dispatch();
  expect(mailbox.mails).toEqual([]);
  expect(await secondsLeft()).toBeLessThan(600);
  mailbox.refuse(false);
  await db.query("UPDATE notice_settings SET due_at = unix_now()");
  // Nothing is sent while dispatch is off after a restore.
  await db.query(
    "INSERT INTO restores (taken_at, lost_after_xid, lost_until_xid) VALUES (0, 0, 0)",
  );
  await dispatch();
  expect(mailbox.mails).toEqual([]);
  await db.query("DELETE FROM restores");
  await Promise.all([dispatch(), dispatch(), dispatch()]);
  const [mail] = mailbox.mailsTo(person.email);
  expect(mailbox.mailsTo(person.email)).toHaveLength(1);
  const { headers, text } = parsed(mail?.source ?? "");
  expect(headers).toContain(
    "Subject: 1 message failed, 1 inbox nearly full, 1 agent waiting to be claimed on Agent Infrastructure",
  );
  expect(headers).not.toMatch(/^(?:Bcc|Subject: forged)/m);
  expect(headers).toContain("List-Unsubscribe-Post: List-Unsubscribe=One-Click");
  expect(text).toContain("Evil <b>name</b> Bcc: victim@example.com");
  expect(text).toContain("Jobs Subject: forged <script>: 9 of 10 events");
  expect(text).toContain("POST to http://127.0.0.1:1: redirect_not_followed\n");
  expect(text).not.toContain("secret");

  // The same news are not sent again, and later ones only after an hour.
  await fail(api, db, key);
  await db.query("UPDATE notice_settings SET reported_until = reported_until - 20");
  await db.query(
    `UPDATE scheduled_messages
     SET delivered_at = (SELECT max(reported_until) FROM notice_settings) + 1
     WHERE delivered_at > unix_now() - 20`,
  );
  // Ten minutes later.
  await db.query(
    "UPDATE notice_settings SET due_at = due_at - 600, last_sent_at = last_sent_at - 600",
  );
  await dispatch();
  expect(mailbox.mailsTo(person.email)).toHaveLength(1);
  await db.query("UPDATE notice_settings SET due_at = unix_now()");
  const mails = () => mailbox.mailsTo(person.email);
  await expect.poll(() => dispatch().then(() => mails().length)).toBe(2);
  const second = parsed(mails()[1]?.source ?? "").headers;
  expect(second).toContain("Subject: 1 message failed on Agent Infrastructure");
  await choose(db, baseUrl, person, []);
  await choose(db, baseUrl, person, ["messages", "inboxes", "agents"]);
  expect(await secondsLeft()).toBeGreaterThan(3000);
  expect(mailbox.mailsTo(silent.email)).toEqual([]);
  const byDefault = mailbox.mailsTo(owner.email).map(({ source }) => parsed(source).headers);
  expect(byDefault).toHaveLength(2);
  for (const each of byDefault) expect(each).toContain("Subject: 1 message failed on");

  await stopping(mailbox, db, baseUrl, person);
});

test("Two servers tell a member who chose it of each question once and at once, by ten mails an hour", async ({
  startTwo,
  db,
  organization: { id, key },
  startMailbox,
}) => {
  const mailbox = await startMailbox();
  const servers = await startTwo({ ...QUIET, MAIL_TRANSPORT: "smtp", SMTP_URL: mailbox.url });
  const [{ api, baseUrl }] = servers;
  const [person, silent] = [await makePerson(db, id), await makePerson(db, id)];
  const dispatch = () =>
    Promise.all(servers.map((server) => server.api("POST", "/api/messages/dispatch")));
  const asked = await ask(api, key, { prompt: "Asked before it was chosen?", kind: "text" });
  await db.query("UPDATE questions SET created_at = created_at - 60 WHERE id = $1", [asked.id]);
  await press(db, baseUrl, person, "questions");
  await dispatch();
  expect(mailbox.mails).toEqual([]);

  const hostile = "Deploy?\r\nBcc: victim@example.com\r\n\r\nYou get at most one email.";
  const first = await ask(api, key, { prompt: hostile, kind: "approve" });
  const later = (seconds: number) =>
    db.query(
      `UPDATE notice_settings
       SET question_mails = ARRAY(SELECT at - $1::bigint FROM unnest(question_mails) AS at)`,
      [seconds],
    );
  // The mail server refuses for a while, in which it is tried once.
  mailbox.refuse(true);
  for (let n = 0; n < 12; n += 1) await dispatch();
  mailbox.refuse(false);
  await dispatch();
  expect(mailbox.mails).toEqual([]);
  await later(600);
  await Promise.all([dispatch(), dispatch(), dispatch()]);
  expect(mailbox.mails).toHaveLength(1);
  const { headers, text } = parsed(mailbox.mailsTo(person.email)[0]?.source ?? "");
  expect(headers).toContain("Subject: 1 question waits for you on Agent Infrastructure");
  expect(headers).not.toMatch(/^Bcc/m);
  expect(headers).toContain("List-Unsubscribe-Post: List-Unsubscribe=One-Click");
  expect(text).toContain("    Deploy? Bcc: victim@example.com You get at most one email.\n");
  expect(text).toMatch(new RegExp(`^    http://\\S+/questions/${first.id}$`, "m"));
  expect(text).not.toContain("ans_");
  expect(text).not.toContain("Asked before");

  // The refused mail counts, so eight more go out in this hour.
  for (let n = 2; n < 12; n += 1) {
    await ask(api, key, { prompt: `Question ${n}?`, kind: "text" });
    await dispatch();
  }
  expect(mailbox.mails).toHaveLength(9);
  const answered = await ask(api, key, { prompt: "Answered?", kind: "text" });
  expectStatus(await answered.answer("Yes"), 200);
  await later(3600);
  await Promise.all([dispatch(), dispatch()]);
  expect(mailbox.mails).toHaveLength(10);
  const last = parsed(mailbox.mails[9]?.source ?? "");
  expect(last.headers).toContain("Subject: 2 questions wait for you on Agent Infrastructure");
  expect(last.text).toMatch(/Question 11\?[\s\S]+Question 10\?/);
  expect(last.text).not.toContain("Answered?");
  expect(mailbox.mailsTo(silent.email)).toEqual([]);

  await press(db, baseUrl, person, undefined);
  await ask(api, key);
  await dispatch();
  expect(mailbox.mails).toHaveLength(10);
});

test("Of more open questions than are recorded none is in two emails", async ({
  start,
  db,
  organization: { id, key },
  startMailbox,
}) => {
  const mailbox = await startMailbox();
  const env = { ...QUIET, MAIL_TRANSPORT: "smtp", SMTP_URL: mailbox.url };
  const { api, baseUrl } = await start(env);
  const person = await makePerson(db, id);
  await press(db, baseUrl, person, "questions");
  const dispatch = () => api("POST", "/api/messages/dispatch");
  const old = await ask(api, key, { prompt: "The oldest?", kind: "text" });
  await dispatch();
  expect(mailbox.mails).toHaveLength(1);
  const later = await Promise.all(
    Array.from({ length: 100 }, (_, n) => ask(api, key, { prompt: `${n}?`, kind: "text" })),
  );
  await dispatch();
  expect(mailbox.mails).toHaveLength(2);
  const subject = () => parsed(mailbox.mails.at(-1)?.source ?? "").headers;
  expect(subject()).toContain("Subject: 100 questions wait for you");
  for (const { answer } of later.slice(0, 2)) expectStatus(await answer("Yes"), 200);
  await dispatch();
  expect(mailbox.mails).toHaveLength(2);
  const next = await ask(api, key, { prompt: "The next?", kind: "text" });
  await dispatch();
  expect(mailbox.mails).toHaveLength(3);
  expect(subject()).toContain("Subject: 1 question waits for you");
  for (const { answer } of [...later.slice(2), next]) expectStatus(await answer("Yes"), 200);
  await dispatch();
  expect(mailbox.mails).toHaveLength(3);
  expect((await api("GET", old.path, { key })).body.state).toBe("open");
});

test("After a crash during one member's email about a question, the others still get theirs", async ({
  start,
  db,
  organization: { id, key },
  startMailbox,
}) => {
  const mailbox = await startMailbox();
  const env = { ...QUIET, MAIL_TRANSPORT: "smtp", SMTP_URL: mailbox.url };
  const killed = await start(env);
  const people = [await makePerson(db, id), await makePerson(db, id), await makePerson(db, id)];
  for (const person of people) await press(db, killed.baseUrl, person, "questions");
  await ask(killed.api, key, { prompt: "Deploy?", kind: "text" });
  const accept = mailbox.hold();
  const cut = killed.api("POST", "/api/messages/dispatch").catch(() => undefined);
  await expect.poll(() => mailbox.mails.length).toBe(1);
  killed.kill("SIGKILL");
  await killed.exited;
  await cut;
  accept();
  const { api } = await start(env);
  const told = async () => {
    await api("POST", "/api/messages/dispatch");
    return mailbox.mails.map(({ to }) => to).sort();
  };
  await expect.poll(told).toEqual(people.map(({ email }) => email).sort());
});

test("A notice that fails keeps neither other members from theirs nor messages from being dispatched", async ({
  start,
  db,
  organization: { id, key },
  startMailbox,
}) => {
  const mailbox = await startMailbox();
  const env = {
    ...QUIET,
    MAIL_TRANSPORT: "smtp",
    SMTP_URL: mailbox.url,
    MESSAGE_MAX_ATTEMPTS: "1",
  };
  const { api, baseUrl } = await start(env);
  const people = [await makePerson(db, id), await makePerson(db, id)];
  for (const person of people) await press(db, baseUrl, person, "questions");
  await db.query(`CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'Refused by the test'; END $$`);
  const dispatch = async () => expectStatus(await api("POST", "/api/messages/dispatch"), 200);
  // Each member fails once, so in one round the failing one comes first.
  const whileFailing = async (prepare: () => Promise<unknown>) => {
    for (const [failing, other] of [people, people.toReversed()]) {
      await prepare();
      const before = mailbox.mailsTo(other?.email ?? "").length;
      await db.query(`CREATE TRIGGER fail BEFORE UPDATE ON notice_settings FOR EACH ROW
        WHEN (NEW.user_id = '${failing?.id}' AND
          (NEW.reported_until, NEW.reported_questions) IS DISTINCT FROM
          (OLD.reported_until, OLD.reported_questions))
        EXECUTE FUNCTION fail()`);
      await dispatch();
      await db.query("DROP TRIGGER fail ON notice_settings");
      expect(mailbox.mailsTo(other?.email ?? "")).toHaveLength(before + 1);
    }
  };
  await whileFailing(() => ask(api, key, { prompt: "Deploy?", kind: "text" }));
  for (const person of people) await press(db, baseUrl, person, "messages");
  await whileFailing(async () => {
    await fail(api, db, key);
    await db.query("UPDATE scheduled_messages SET delivered_at = unix_now() - 30");
    await db.query(
      "UPDATE notice_settings SET reported_until = unix_now() - 60, due_at = 0, last_sent_at = NULL",
    );
  });
  await db.query("ALTER TABLE notice_settings RENAME TO gone");
  await dispatch();
});

/** The links of a mail. */
async function stopping(mailbox: Mailbox, db: Pool, baseUrl: string, person: Person) {
  const { headers, text } = parsed(mailbox.mailsTo(person.email)[0]?.source ?? "");
  const url = /^List-Unsubscribe: <([^>]+)>$/m.exec(headers)?.[1] ?? "";
  const isOn = async () =>
    (await rowsOf(db).noticeSetting.findFirstOrThrow({ where: { user_id: person.id } })).due_at !==
    null;
  // Programs that check links send GET and HEAD.
  for (const method of ["GET", "HEAD"]) {
    expect((await fetch(url, { method })).status).toBe(200);
    expect(await isOn()).toBe(true);
  }
  const forged = url.replace(/.(?=\/stop$)/, (last) => (last === "0" ? "1" : "0"));
  const oneClick = {
    method: "POST",
    body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }),
  };
  expect((await fetch(forged, oneClick)).status).toBe(404);
  const foreign = { ...oneClick, headers: { origin: "https://evil.example" } };
  expect((await fetch(url, foreign)).status).toBe(403);
  expect(await isOn()).toBe(true);
  // RFC 8058 §3.2 allows both encodings, and RFC 2046 any such boundary.
  const boundary = "=_Part_0.1";
  const multipart = {
    method: "POST",
    headers: { "content-type": `multipart/form-data; boundary="${boundary}"; charset=UTF-8` },
    body: `--${boundary}\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--${boundary}--\r\n`,
  };
  expect((await fetch(forged, multipart)).status).toBe(404);
  expect((await fetch(url, { ...multipart, redirect: "error" })).status).toBe(200);
  expect(await isOn()).toBe(false);

  await choose(db, baseUrl, person, ["agents"]);
  const page = /^http\S+\/notices\/\w+$/m.exec(text)?.[0] ?? "";
  const path = new URL(page).pathname;
  // With `no-referrer`, browsers without scripts send the form without its origin, which is refused.
  expect(await (await fetch(page)).text()).not.toContain("no-referrer");
  const press = await formOf(baseUrl, path, "", "token");
  expect(await isOn()).toBe(true);
  await press({});
  expect(await isOn()).toBe(false);
  const other = page.replace(/.$/, (last) => (last === "0" ? "1" : "0"));
  expect((await fetch(other)).status).toBe(404);
}

/** Chooses one kind of notices, or none. */
async function press(db: Pool, baseUrl: string, person: Person, kind: string | undefined) {
  const cookie = await cookieOf(db, person.id);
  const send = await formOf(baseUrl, "/settings?tab=notices", cookie, "kinds");
  await send(kind === undefined ? {} : { kinds: kind });
}

async function choose(db: Pool, baseUrl: string, person: Person, kinds: string[]) {
  await press(db, baseUrl, person, kinds[0]);
  // The form of the support sends each name once.
  await db.query("UPDATE notice_settings SET kinds = $2 WHERE user_id = $1", [person.id, kinds]);
}

/** A message that is delivered to nobody, once. */
async function fail(api: Api, db: Pool, key: string) {
  const url = "http://127.0.0.1:1/path-with-a-secret";
  await api("POST", "/api/messages", { key, body: { url, delay_seconds: 0 } });
  await api("POST", "/api/messages/dispatch");
  const { rows } = await db.query("SELECT status FROM scheduled_messages WHERE due_at IS NULL");
  expect(rows.at(-1)).toEqual({ status: "failed" });
}

/** The unfolded headers and the decoded text of a mail. */
function parsed(source: string): { headers: string; text: string } {
  const end = source.indexOf("\r\n\r\n");
  const headers = source.slice(0, end).replaceAll(/\r\n[ \t]+/g, " ");
  const body = source.slice(end + 4).replaceAll("\r\n", "\n");
  const text = /^Content-Transfer-Encoding: quoted-printable/m.test(headers)
    ? decodeURIComponent(
        body
          .replaceAll("=\n", "")
          .replaceAll("%", "%25")
          .replaceAll(/=([0-9A-F]{2})/g, "%$1"),
      )
    : body;
  return { headers: headers.replaceAll("\r\n", "\n"), text };
}
