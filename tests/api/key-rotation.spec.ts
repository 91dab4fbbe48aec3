import { type Agents, bodyOf, expect, test } from "../support/agents";
import { runCommand } from "../support/backups";
import { expectError, expectStatus } from "../support/expectations";
import { formOf } from "../support/forms";
import { randomText } from "../support/keys";
import { makePerson, openSession } from "../support/people";

/** Keys that are rotated while they are revoked. */

interface Rotating {
  /** The live keys of one organization, which rotate in a loop. */
  keys: string[];
  /** Revokes all of them. */
  revoke: () => Promise<unknown>;
}

/** Four agents of one user, in an organization with an owner. */
async function agentsOf(agents: Agents) {
  const sub = `user-${randomText(12)}`;
  const made = await Promise.all(
    Array.from({ length: 4 }, () => agents.assert(agents.claims({ sub }), { type: "api_key" })),
  );
  const keys = made.map((response) => bodyOf(response).credential);
  const ids = made.map((response) => bodyOf(response).registration_id);
  const me = JSON.parse((await agents.api("GET", "/api/me", { key: keys[0] })).text);
  const organization: { id: string; name: string } = {
    id: me.organization_id,
    name: me.organization_name,
  };
  const owner = await makePerson(agents.db, organization.id);
  const cookie = `session=${await openSession(agents.db, owner.id)}`;
  const form = (path: string, field: string) => formOf(agents.baseUrl, path, cookie, field);
  return { sub, keys, ids, organization, owner, form };
}

const REVOCATIONS: Record<string, (agents: Agents, databaseUrl: string) => Promise<Rotating>> = {
  "a logout token": async (agents) => {
    const { keys, sub } = await agentsOf(agents);
    return { keys, revoke: async () => agents.revoke(await agents.logoutToken(sub)) };
  },
  '"Revoke agent"': async (agents) => {
    const { keys, ids, form } = await agentsOf(agents);
    const forms = await Promise.all(ids.map((id) => form("/keys", `id" value="${id}`)));
    return { keys, revoke: () => Promise.all(forms.map((press) => press({}))) };
  },
  "`npm run revoke`": async (agents, DATABASE_URL) => {
    const { keys, ids } = await agentsOf(agents);
    return { keys, revoke: () => runCommand("revoke", ids, { DATABASE_URL }) };
  },
  "the removal of the member who created them": async (agents) => {
    const { organization, form } = await agentsOf(agents);
    const member = await makePerson(agents.db, organization.id, "member");
    const session = `session=${await openSession(agents.db, member.id)}`;
    const keys = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const press = await formOf(agents.baseUrl, "/keys?new=1", session, "scopes");
        const { body } = await press({ name: "Theirs", scopes: "api.read", days: "" });
        return /svc_live_\w{38}/.exec(body)?.[0] ?? "none";
      }),
    );
    const press = await form("/settings", "revoke_keys");
    return { keys, revoke: () => press({ id: member.id, revoke_keys: "on" }) };
  },
  "the deletion of the organization": async (agents) => {
    const { keys, organization, form } = await agentsOf(agents);
    const press = await form("/settings/delete-organization", "typed");
    return { keys, revoke: () => press({ typed: organization.name }) };
  },
  "the deletion of the only member's account": async (agents) => {
    const { keys, owner, form } = await agentsOf(agents);
    const press = await form("/settings/delete-account", "typed");
    return { keys, revoke: () => press({ typed: owner.email }) };
  },
};

for (const [name, begin] of Object.entries(REVOCATIONS)) {
  test(`No key works after ${name}, even if all rotate meanwhile`, async ({
    agents,
    databaseUrl,
  }) => {
    const { keys, revoke } = await begin(agents, databaseUrl);
    let isOver = false;
    let rotations = 0;
    const loops = keys.map(async (first) => {
      for (let key = first; ; rotations += 1) {
        const isLate = isOver;
        const body = { overlap_seconds: 0 };
        const response = await agents.api("POST", "/api/me/key/rotate", { key, body });
        if (response.status !== 200 || isLate) return { key, response };
        key = JSON.parse(response.text).key;
      }
    });
    await expect.poll(() => rotations).toBeGreaterThan(20);
    await revoke();
    isOver = true;
    for (const { key, response } of await Promise.all(loops)) {
      expectError(response, 401, "invalid_api_key");
      expectStatus(await agents.api("GET", "/api/me", { key }), 401);
    }
  });
}
