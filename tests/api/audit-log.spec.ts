import { expectStatus } from "../support/expectations";
import { expect, test } from "../support/fixtures";
import { fieldsOf, formOf, keySession, post, textOf } from "../support/forms";
import { randomText } from "../support/keys";
import { makePerson, openSession } from "../support/people";

test("The log names claims of one resource, new share links and withdrawn invitations", async ({
  api,
  baseUrl,
  db,
  organization,
  key,
}) => {
  const body = { name: "Report", content: "# Report" };
  const shared = await api("POST", "/api/artifacts", { key, query: { share: "true" }, body });
  expectStatus(shared, 201);
  const { body: artifact } = await api("POST", "/api/artifacts", { key, body });
  expectStatus(await api("POST", `/api/artifacts/${artifact.id}/share`, { key, body: {} }), 200);
  const { body: task } = await api("POST", "/api/tasks", { body: { name: "Public" } });
  const claim = { claim_token: task.claim_token };
  expectStatus(await api("POST", `/api/claim/${task.id}`, { key, body: claim }), 200);

  const person = await makePerson(db, organization.id);
  const token = await openSession(db, person.id);
  const invitation = `inv_${randomText(25)}`;
  const email = `${randomText(12).toLowerCase()}@example.com`;
  await db.query(
    `INSERT INTO invitations (id, organization_id, email, invited_by_user_id, expires_at)
     VALUES ($1, $2, $3, $4, unix_now() + 3600)`,
    [invitation, organization.id, email, person.id],
  );
  const { fields, cookie } = await fieldsOf(
    baseUrl,
    "/settings",
    token,
    new RegExp(`"${invitation}".*Withdraw`),
  );
  const withdrawing = await post(baseUrl, "/settings", fields, { cookie, origin: baseUrl });
  expect(withdrawing.status).toBe(200);

  const page = await fetch(`${baseUrl}/keys?tab=log`, { headers: { cookie } });
  const log = (await page.text()).replaceAll(/<[^>]*>/g, "");
  for (const sentence of [
    "created a share link for the artifact Report",
    "claimed the task Public",
    `${person.email} withdrew the invitation of ${email}`,
  ]) {
    expect(log.includes(sentence), sentence).toBe(true);
  }

  const exported = async (query: string) => {
    const response = await fetch(`${baseUrl}/export/audit-log${query}`, { headers: { cookie } });
    expect(response.headers.get("content-disposition")).toContain("audit-log.jsonl");
    const lines = (await response.text()).split("\n").filter((line) => line !== "");
    return lines.map((line) => JSON.parse(line).action);
  };
  expect(await exported("")).toEqual([
    "invitation.withdrawn",
    "resources.claimed",
    "share.created",
    "share.created",
  ]);
  expect(await exported("?about=members")).toEqual(["invitation.withdrawn"]);
  expect(await exported(`?by=${person.id}`)).toEqual(["invitation.withdrawn"]);
  expect(await exported("?q=share+link&about=resources")).toEqual([
    "share.created",
    "share.created",
  ]);
});

test("Only a session of the organization that may see addresses exports the log", async ({
  api,
  baseUrl,
  db,
  organization,
  otherOrganization,
  key,
}) => {
  const body = { name: "Report", content: "# Report" };
  const query = { share: "true" };
  expectStatus(await api("POST", "/api/artifacts", { key, query, body }), 201);
  const person = async (id: string) =>
    `session=${await openSession(db, (await makePerson(db, id)).id)}`;
  const exported = async (cookie: string) => {
    const response = await fetch(`${baseUrl}/export/audit-log`, { headers: { cookie } });
    return [response.status, (await response.text()).includes('"share.created"')];
  };
  expect(await exported(await person(organization.id))).toEqual([200, true]);
  expect(await exported(await person(otherOrganization.id))).toEqual([200, false]);
  expect(await exported(await keySession(baseUrl, organization.readKey))).toEqual([403, false]);
  expect(await exported("")).toEqual([401, false]);

  const headers = { cookie: await keySession(baseUrl, key) };
  const signIns = await fetch(`${baseUrl}/export/audit-log?about=sign-ins`, { headers });
  const [newest = ""] = (await signIns.text()).split("\n");
  const { key_id } = JSON.parse((await api("GET", "/api/me", { key })).text);
  expect(JSON.parse(newest)).toMatchObject({ action: "session.started", actor: key_id });
});

test("A key opens 100 sessions a day, and the log has no more of them", async ({
  api,
  baseUrl,
  db,
  key,
  rows,
}) => {
  const { key_id } = JSON.parse((await api("GET", "/api/me", { key })).text);
  await keySession(baseUrl, key);
  const count = "UPDATE usage_counters SET uses = 99 WHERE id = 'key-sign-ins:' || $1";
  await db.query(count, [key_id]);
  await keySession(baseUrl, key);
  const enter = await formOf(baseUrl, "/sign-in", "", "key");
  const refused = await enter({ key });
  expect(textOf(refused.body)).toContain("Too many attempts. Try again later.");
  expect(await rows.auditEvent.count({ where: { actor: key_id } })).toBe(2);
});
