import type { Pool } from "pg";
import { type Agents, bodyOf, expect, test } from "../support/agents";
import { runCommand } from "../support/backups";
import { expectError, expectStatus } from "../support/expectations";
import { environment } from "../support/fixtures";
import { formOf } from "../support/forms";
import type { Api } from "../support/http";
import { randomText, sha256 } from "../support/keys";
import { makePerson, openSession } from "../support/people";
import { rowsOf } from "../support/rows";
import { pause } from "../support/servers";

/** What rotations make is revoked too, and one key never becomes many. */

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
  const form = (path: string, field: string | RegExp) =>
    formOf(agents.baseUrl, path, cookie, field);
  return { sub, keys, ids, organization, owner, form };
}

const REVOCATIONS: Record<string, (agents: Agents, databaseUrl: string) => Promise<Rotating>> = {
  "a logout token": async (agents) => {
    const { keys, sub } = await agentsOf(agents);
    return { keys, revoke: async () => agents.revoke(await agents.logoutToken(sub)) };
  },
  '"Revoke agent"': async (agents) => {
    const { keys, ids, form } = await agentsOf(agents);
    const forms = await Promise.all(ids.map((id) => form("/keys?tab=agents", `id" value="${id}`)));
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
    const press = await form("/settings", new RegExp(`"${member.id}".*Remove member`));
    return { keys, revoke: () => press({}) };
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

/**
 * Adds ended keys, as earlier rotations of these keys have left them, and returns those that were changed since. There
 * may be so many that a statement which writes them all is canceled.
 */
async function leaveEndedKeys(db: Pool, keys: string[]) {
  const { rows } = await db.query<{ id: string }>(
    `INSERT INTO api_keys (id, organization_id, registration_id, created_by_user_id, name, prefix, last_four, scopes,
                           expires_at)
     SELECT 'key_' || md5(random()::text), organization_id, registration_id, created_by_user_id, 'Ended', '', '',
            '{api.read}', unix_now() - 60
     FROM api_keys WHERE digest = ANY ($1) RETURNING id`,
    [keys.map(sha256)],
  );
  expect(rows).toHaveLength(keys.length);
  return async () => {
    // The sweep ends whatever is left of a deleted organization.
    const changed = await db.query(
      `SELECT id, scopes, revoked_at FROM api_keys
       WHERE id = ANY ($1) AND (revoked_at IS NOT NULL OR scopes <> '{api.read}')
         AND organization_id NOT IN (SELECT id FROM deleted_organizations)`,
      [rows.map(({ id }) => id)],
    );
    return changed.rows;
  };
}

for (const [name, begin] of Object.entries(REVOCATIONS)) {
  test(`No key works after ${name}, even while all of them rotate, and ended keys are not written`, async ({
    agents,
    databaseUrl,
  }) => {
    const { keys, revoke } = await begin(agents, databaseUrl);
    const changed = await leaveEndedKeys(agents.db, keys);
    let isOver = false;
    let rotations = 0;
    const loops = keys.map(async (first) => {
      for (let key = first; ; rotations += 1) {
        const isLate = isOver;
        const body = { overlap_seconds: 0 };
        const response = await agents.api("POST", "/api/me/key/rotate", { key, body });
        if (response.status !== 200 || isLate) return { key, response };
        key = JSON.parse(response.text).key;
        // An agent has a thousand rotations.
        await pause(10);
      }
    });
    await expect.poll(() => rotations).toBeGreaterThan(20);
    await revoke();
    isOver = true;
    for (const { key, response } of await Promise.all(loops)) {
      expectError(response, 401, "invalid_api_key");
      expectStatus(await agents.api("GET", "/api/me", { key }), 401);
    }
    expect(await changed()).toEqual([]);
  });
}

async function rotate(api: Api, key: string, overlap_seconds: number) {
  const response = await api("POST", "/api/me/key/rotate", { key, body: { overlap_seconds } });
  expectStatus(response, 200);
  const rotated: { id: string; key: string } = JSON.parse(response.text);
  return rotated;
}

test("A key cannot be rotated while the key that it replaced works", async ({ agents, db }) => {
  const { credential } = await agents.anonymous();
  const { key } = await rotate(agents.api, credential, 600);
  const early = await agents.api("POST", "/api/me/key/rotate", { key });
  expectError(early, 409, "old_key_still_valid");
  const seconds = Number(early.headers.get("retry-after"));
  expect(seconds).toBeGreaterThan(500);
  expect(seconds).toBeLessThanOrEqual(600);
  // As if the overlap had passed.
  await db.query(
    `UPDATE api_keys SET expires_at = expires_at - 600, old_key_ends_at = old_key_ends_at - 600
     WHERE digest = ANY ($1)`,
    [[credential, key].map(sha256)],
  );
  expectStatus(await agents.api("GET", "/api/me", { key: credential }), 401);
  const next = await rotate(agents.api, key, 600);
  expectStatus(await agents.api("GET", "/api/me", { key }), 200);
  expectStatus(await agents.api("GET", "/api/me", { key: next.key }), 200);
});

test("An agent rotates its keys 1000 times a day", async ({ agents, db }) => {
  const { credential, registration_id } = await agents.anonymous();
  const { key } = await rotate(agents.api, credential, 0);
  const count = async (set: string) => {
    const counted = `UPDATE usage_counters SET ${set} WHERE id LIKE '%' || $1`;
    expect((await db.query(counted, [registration_id])).rowCount).toBe(1);
  };
  await count("uses = 999");
  const { key: last } = await rotate(agents.api, key, 0);
  const refused = await agents.api("POST", "/api/me/key/rotate", { key: last });
  expectError(refused, 429, "rate_limited");
  const seconds = Number(refused.headers.get("retry-after"));
  expect(seconds).toBeGreaterThan(86_000);
  expect(seconds).toBeLessThanOrEqual(86_400);
  // Of this limit, and not of the key's requests, which go on.
  expect(refused.headers.get("ratelimit")).toBe(`"attempts";r=0;t=${seconds}`);
  expect(refused.headers.get("ratelimit-policy")).toBe('"attempts";q=1000;w=86400');
  expectStatus(await agents.api("GET", "/api/me", { key: last }), 200);
  await count("window_started_at = unix_now() - 86400");
  const { key: later } = await rotate(agents.api, last, 0);
  // From before the clock was set back.
  await count("uses = 1000, window_started_at = unix_now() + 3600");
  await rotate(agents.api, later, 0);
});

const ENDS: Record<string, (agents: Agents, ids: string[], keys: string[]) => Promise<unknown>> = {
  "DELETE /api/me/key": (agents, _, keys) =>
    Promise.all(keys.map((key) => agents.api("DELETE", "/api/me/key", { key }))),
  "the dashboard": async (agents, ids) => {
    const where = { id: ids[0] };
    const { organization_id } = await rowsOf(agents.db).apiKey.findFirstOrThrow({ where });
    const owner = await makePerson(agents.db, organization_id);
    const cookie = `session=${await openSession(agents.db, owner.id)}`;
    for (const id of ids) {
      const press = await formOf(agents.baseUrl, "/keys", cookie, `id" value="${id}`);
      await press({ id });
    }
  },
  "`npm run revoke`": (_, ids) =>
    runCommand("revoke", ids, { DATABASE_URL: environment("TEST_DATABASE_URL") }),
};
/** Both ways revoke by the same rule as the first. */
const ENDED: Record<string, ("old" | "new")[]> = {
  "DELETE /api/me/key": ["old", "new"],
  "the dashboard": ["old"],
  "`npm run revoke`": ["new"],
};
for (const [name, end] of Object.entries(ENDS)) {
  for (const which of ENDED[name] ?? []) {
    test(`${name} on the ${which} key of a rotation revokes both keys and their agent`, async ({
      agents,
      rows,
    }) => {
      const { credential, registration_id } = await agents.anonymous();
      const me = await agents.api("GET", "/api/me", { key: credential });
      const first = { id: JSON.parse(me.text).key_id, key: credential };
      const second = await rotate(agents.api, first.key, 0);
      const third = await rotate(agents.api, second.key, 600);
      const { id, key } = which === "old" ? second : third;
      await end(agents, [id], [key]);
      for (const { key } of [first, second, third]) {
        expectError(await agents.api("GET", "/api/me", { key }), 401, "invalid_api_key");
      }
      const where = { id: { in: [first.id, second.id, third.id] }, revoked_at: { not: null } };
      const revoked = await rows.apiKey.findMany({ where, orderBy: { id: "asc" } });
      expect(revoked.map(({ id }) => id)).toEqual([second.id, third.id]);
      const ended = { action: "registration.revoked", registration_id };
      expect(await rows.auditEvent.count({ where: ended })).toBe(1);
    });
  }
}

test("A key of a revoked registration is refused whatever its own row says", async ({
  agents,
  rows,
}) => {
  const { credential: key, registration_id } = await agents.anonymous();
  await agents.db.query("UPDATE agent_registrations SET revoked_at = unix_now() WHERE id = $1", [
    registration_id,
  ]);
  expectError(await agents.api("GET", "/api/me", { key }), 401, "invalid_api_key");
  expect(await rows.apiKey.count({ where: { registration_id, revoked_at: null } })).toBe(1);
});

test("Agents that rotate their keys while they are claimed lose neither request, and can write", async ({
  agents,
  db,
}) => {
  const claiming = await Promise.all(Array.from({ length: 8 }, () => agents.claiming()));
  const changed = await leaveEndedKeys(
    db,
    claiming.map(({ agent }) => agent.credential),
  );
  await Promise.all(
    claiming.map(async ({ agent, otp }) => {
      let key = agent.credential;
      let isClaimed = false;
      const rotating = (async () => {
        while (!isClaimed) ({ key } = await rotate(agents.api, key, 0));
      })();
      const claimed = await agents.complete(agent.claim_token, otp);
      isClaimed = true;
      await rotating;
      expectStatus(claimed, 200);
      expectStatus(await agents.api("POST", "/api/tasks", { key, body: { name: "New" } }), 201);
    }),
  );
  expect(await changed()).toEqual([]);
});
