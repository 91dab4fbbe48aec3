import type { Pool } from "pg";
import { makeOrganization } from "../support/accounts";
import { type Agents, bodyOf, expect, freshEmail, LINKING, test } from "../support/agents";
import { expectError, expectStatus } from "../support/expectations";
import { formOf } from "../support/forms";
import { randomText } from "../support/keys";
import { whileLocked } from "../support/locks";
import { connect } from "../support/mcp";
import { startCallback } from "../support/mcp-callback";
import { callEvents } from "../support/mcp-events";
import { OAuth } from "../support/oauth";
import { makePerson, openSession } from "../support/people";
import { rowsOf } from "../support/rows";

/** A membership's end ends everything that works through it. */

const KEY = /svc_live_\w{38}/;

/** An owner of an organization with another owner, and everything that can work through a membership. */
async function leaverOf(agents: Agents) {
  const { api, baseUrl, db } = agents;
  const organization = await makeOrganization(db);
  const [stays, leaver] = [
    await makePerson(db, organization.id),
    await makePerson(db, organization.id),
  ];
  const session = await openSession(db, leaver.id);
  const form = (path: string, wanted: string | RegExp, token = session) =>
    formOf(baseUrl, path, `session=${token}`, wanted);
  const makeKey = async () => {
    const press = await form("/keys?new=1", "scopes");
    return async () => {
      const { body } = await press({ name: "Theirs", scopes: "api.write", days: "" });
      return KEY.exec(body)?.[0] ?? "none";
    };
  };
  const key = await (await makeKey())();
  const old = await (await makeKey())();
  const rotated = await api("POST", "/api/me/key/rotate", { key: old, body: {} });
  const asked = bodyOf(await agents.register({ type: "service_auth", login_hint: leaver.email }));
  const byCode = await agents.complete(asked.claim_token, await agents.mailbox.code(leaver.email));
  const subject = { iss: LINKING, sub: `user-${randomText(12)}`, email: leaver.email };
  const byProvider = await agents.assert(agents.claims(subject));
  const oauth = new OAuth({ api, baseUrl, db }, { person: leaver, session, organization });
  const clientId = await oauth.register();
  const tokens = await oauth.signIn(clientId);
  const code = await oauth.code(clientId, { resource: `${baseUrl}/` });
  const invited = freshEmail();
  const guest = await guestOf(db, invited);
  await (await form("/settings", "email"))({ email: invited, role: "owner" });
  const accept = await form("/settings", "answer", guest);
  // As by an owner who did not know that the leaver had joined.
  await db.query(
    `INSERT INTO invitations (id, organization_id, email, invited_by_user_id, expires_at)
     VALUES ($1, $2, $3, $4, unix_now() + 600)`,
    [`inv_${randomText(25)}`, organization.id, leaver.email, stays.id],
  );
  return {
    ...{
      organization,
      stays,
      leaver,
      session,
      form,
      makeKey,
      subject,
      oauth,
      clientId,
      code,
      guest,
    },
    ...{ tokens, accept },
    keys: {
      "a key": key,
      "a rotated key": old,
      "the key that replaced it": JSON.parse(rotated.text).key as string,
      "an agent claimed with a code": bodyOf(byCode).credential,
      "an agent of a provider": bodyOf(byProvider).credential,
      "a client's access token": tokens.access_token,
    },
  };
}

type Leaver = Awaited<ReturnType<typeof leaverOf>>;

const ENDS: Record<string, (given: Leaver, agents: Agents) => Promise<() => Promise<unknown>>> = {
  "the member is removed": async ({ stays, leaver, form }, { db }) => {
    const owner = await openSession(db, stays.id);
    const press = await form("/settings", new RegExp(`"${leaver.id}"[^]*Remove member`), owner);
    return () => press({});
  },
  "the member's account is deleted": async ({ leaver, form }) => {
    const press = await form("/settings/delete-account", "typed");
    return () => press({ typed: leaver.email });
  },
};

for (const [name, prepare] of Object.entries(ENDS)) {
  test(`Nothing works through a membership after ${name}`, async ({ agents }) => {
    const { api, baseUrl, db } = agents;
    const given = await leaverOf(agents);
    const { organization, keys, oauth, clientId, tokens, subject } = given;
    const works = async (key: string) => {
      const made = await api("POST", "/api/tasks", { key, body: { name: "x" } });
      return made.status === 201 && made.body.organization_id === organization.id;
    };
    for (const [what, key] of Object.entries(keys)) expect(await works(key), what).toBe(true);
    const { controls, events, delivery, stop } = await startCallback();
    for (const what of ["an agent claimed with a code", "an agent of a provider"] as const) {
      const client = await connect(baseUrl, { key: keys[what] });
      await callEvents(client, "subscribe", { name: "change", arguments: {}, delivery });
      await client.close();
    }
    // The messages of earlier changes would wait for the lock below as well.
    const last = await api("POST", "/api/tasks", { key: organization.key, body: { name: "x" } });
    const told = () => events.filter(({ data }) => data.resource_id === last.body.id).length;
    await expect.poll(told, "Both agents are told of a change").toBe(2);
    const end = await prepare(given, agents);

    const press = await given.makeKey();
    const [, made] = await whileLocked(
      db,
      { table: "organizations", id: organization.id },
      end,
      press,
    );

    expect(made).toMatch(KEY);
    const left: string[] = [];
    const refused = async (what: string, stillWorks: Promise<boolean>) => {
      if (await stillWorks) left.push(what);
    };
    for (const [what, key] of Object.entries(keys)) await refused(what, works(key));
    await refused("a key in the making", works(made));
    const refreshed = await oauth.refresh(clientId, tokens.refresh_token);
    await refused("a client's refresh token", Promise.resolve(refreshed.status === 200));
    const exchanged = await oauth.exchange(clientId, given.code);
    await refused("a client's code", Promise.resolve(exchanged.status === 200));
    await given.accept({ answer: "join" });
    const shows = async (path: string, token: string) => {
      const headers = { cookie: `session=${token}` };
      const page = await fetch(`${baseUrl}${path}`, { headers, redirect: "manual" });
      return (await page.text()).includes(organization.id);
    };
    await refused("an invitation", shows("/settings", given.guest));
    const toThem = { organization_id: organization.id, email: given.leaver.email };
    const invited = await rowsOf(db).invitation.count({ where: toThem });
    await refused("an invitation to the member", Promise.resolve(invited > 0));
    await refused("a session", shows("/settings", given.session));
    const again = await agents.assert(agents.claims(subject));
    expectStatus(again, 201);
    await refused("a fresh assertion of the provider", works(bodyOf(again).credential));
    expect(left).toEqual([]);
    const late = await api("POST", "/api/tasks", { key: organization.key, body: { name: "x" } });
    expectStatus(late, 201);
    const ended = () => controls.filter(({ type }) => type === "terminated").length;
    await expect.poll(ended, "A subscription to MCP events goes on").toBe(2);
    expect(JSON.stringify(events)).not.toContain(late.body.id);
    await stop();
  });
}

test("What a member was about to revoke goes on if they are removed first, but an agent that asked them ends", async ({
  agents,
}) => {
  const { api, baseUrl, db } = agents;
  const organization = await makeOrganization(db);
  const [owner, member] = [
    await makePerson(db, organization.id),
    await makePerson(db, organization.id, "member"),
  ];
  const [theirs, asking] = [await agents.hinted(owner.email), await agents.hinted(member.email)];
  const otp = await agents.mailbox.code(owner.email);
  const agent = bodyOf(await agents.complete(theirs.claim_token, otp));
  const me = await api("GET", "/api/me", { key: organization.key });
  const keyId: string = JSON.parse(me.text).key_id;
  const session = `session=${await openSession(db, member.id)}`;
  const form = (path: string, id: string) => formOf(baseUrl, path, session, `id" value="${id}`);
  const [endKey, endAgent, decline] = [
    await form("/keys", keyId),
    await form("/keys?tab=agents", theirs.registration_id),
    await form("/keys?tab=agents", asking.registration_id),
  ];
  const ownerSession = `session=${await openSession(db, owner.id)}`;
  const removal = new RegExp(`"${member.id}"[^]*Remove member`);
  const remove = await formOf(baseUrl, "/settings", ownerSession, removal);
  await whileLocked(
    db,
    { table: "organizations", id: organization.id },
    () => remove({}),
    () => endKey({ id: keyId }),
    () => endAgent({}),
    () => decline({}),
  );
  const where = { organization_id: organization.id };
  expect(await rowsOf(db).member.count({ where })).toBe(1);
  for (const key of [organization.key, agent.credential]) {
    expectStatus(await api("GET", "/api/tasks", { key }), 200);
  }
  const declined = await agents.complete(asking.claim_token, "000000");
  expectError(declined, 410, "claim_expired");
});

test("An agent's user is no owner: the last person who owns an organization stays", async ({
  agents: { baseUrl, db },
}) => {
  const { id } = await makeOrganization(db);
  const [owner, member] = [await makePerson(db, id), await makePerson(db, id, "member")];
  // As earlier versions made one for each agent.
  const agent = `usr_${randomText(25)}`;
  await db.query("INSERT INTO users (id) VALUES ($1)", [agent]);
  await db.query("INSERT INTO members VALUES ($1, $2, 'owner')", [id, agent]);
  const cookie = `session=${await openSession(db, owner.id)}`;
  const leave = await formOf(baseUrl, "/settings", cookie, new RegExp(`"${owner.id}"[^]*Leave`));
  expect((await leave({})).body).toContain("You are the only owner");
  const promote = await formOf(baseUrl, "/settings", cookie, new RegExp(`"${member.id}"[^]*Make`));
  await promote({ role: "owner" });
  await leave({});
  const rows = await rowsOf(db).member.findMany({ where: { organization_id: id } });
  expect(rows.map(({ user_id }) => user_id).sort()).toEqual([agent, member.id].sort());
});

/** The session of a person with this address, in an organization of their own. */
async function guestOf(db: Pool, email: string): Promise<string> {
  const { id } = await makePerson(db, (await makeOrganization(db)).id);
  await db.query("UPDATE users SET email = $1 WHERE id = $2", [email, id]);
  return openSession(db, id);
}
