import { type Agents, bodyOf, expect, freshEmail, test } from "../support/agents";
import {
  challenges,
  eachOf,
  expectError,
  expectLimited,
  expectStatus,
} from "../support/expectations";
import type { ApiResponse } from "../support/http";
import { randomText, sha256 } from "../support/keys";
import { wrongCode } from "../support/mailbox";
import { rowsOf } from "../support/rows";

/** Claims by one-time code. */

test("A claim raises the scopes of the agent's key, and keeps key and organization", async ({
  agents,
}) => {
  const { agent, email, attempt, otp } = await agents.claiming();
  const { credential: key, registration_id } = agent;
  expect(attempt).toEqual({
    registration_id,
    claim_attempt_id: expect.stringMatching(/^cla_/),
    status: "initiated",
    expires_at: expect.any(Number),
    otp_expires: attempt.expires_at,
  });
  const { rows } = await agents.db.query(
    "SELECT organization_id FROM agent_registrations WHERE id = $1",
    [registration_id],
  );
  const refused = await agents.api("POST", "/api/tasks", { key, body: { name: "x" } });
  expectError(refused, 403, "insufficient_scope");
  const completed = await agents.complete(agent.claim_token, otp);
  expectStatus(completed, 200);
  const scopes = ["api.read", "api.write"];
  expect(bodyOf(completed)).toEqual({ registration_id, status: "claimed", scopes });
  const organization = await agents.organizationOf(key);
  expect(rows).toEqual([{ organization_id: organization }]);
  const members = await agents.db.query(
    "SELECT role, email FROM members JOIN users ON users.id = user_id WHERE organization_id = $1",
    [organization],
  );
  expect(members.rows).toEqual([{ role: "owner", email }]);
});

for (const [type, prefix] of [
  ["api_key", "svc_live_"],
  ["access_token", "svc_at_"],
] as const) {
  test(`A service_auth agent gets its ${type} when the claim is complete`, async ({ agents }) => {
    const email = freshEmail();
    const registered = await agents.hinted(email, type);
    const otp = await agents.mailbox.code(email);
    const typed = ` ${otp.slice(0, 3)}-${otp.slice(3)} `;
    const response = await agents.complete(registered.claim_token, typed);
    expectStatus(response, 200);
    const body = bodyOf(response);
    expect(body).toEqual({
      registration_id: registered.registration_id,
      status: "claimed",
      credential_type: type,
      credential: expect.stringMatching(new RegExp(`^${prefix}[0-9A-Za-z]{38}$`)),
      credential_expires: type === "api_key" ? null : expect.any(Number),
      scopes: ["api.read", "api.write"],
    });
    expect(await agents.organizationOf(body.credential)).not.toBeNull();
  });
}

test("All agents that a user confirms by email join the user's first organization, though they own an older one of others", async ({
  agents,
}) => {
  const email = freshEmail();
  const organizations = new Set<string | null>();
  for (const round of [1, 2]) {
    const { claim_token } = await agents.hinted(email);
    const otp = await agents.mailbox.code(email, round);
    const { credential } = bodyOf(await agents.complete(claim_token, otp));
    organizations.add(await agents.organizationOf(credential));
    await agents.db.query(
      `WITH older AS (INSERT INTO organizations (id, name) VALUES ('org_0' || $2, 'Older') RETURNING id)
       INSERT INTO members (organization_id, user_id, role, created_at)
       SELECT older.id, users.id, 'owner', unix_now() + 1 FROM older, users WHERE email = $1`,
      [email, randomText(24)],
    );
  }
  expect(organizations.size).toBe(1);
});

type Claiming = Awaited<ReturnType<Agents["claiming"]>>;
type Refusal = [status: number, code: string, param?: string];

/** How a registration in each state refuses the right code, and another claim unless that starts over. */
const STATES: Array<
  [
    state: string,
    reach: (agents: Agents, claiming: Claiming) => Promise<unknown>,
    claim: Refusal | null,
    complete: Refusal,
  ]
> = [
  [
    "claimed",
    async (agents, { agent, otp }) =>
      expectStatus(await agents.complete(agent.claim_token, otp), 200),
    [409, "claimed_or_in_flight"],
    [409, "previously_claimed"],
  ],
  [
    "past its claim window",
    (agents, { agent }) => setRegistration(agents, agent, "claim_token_expires_at"),
    [410, "claim_expired"],
    [410, "claim_expired"],
  ],
  [
    "locked by fifteen wrong codes over all attempts",
    async (agents, claiming) => {
      const { claim_token } = claiming.agent;
      await guessWrong(agents, claiming, 5);
      for (const attempt of [2, 3]) {
        const email = freshEmail();
        expectStatus(await agents.claim(claim_token, email), 200);
        const otp = await agents.mailbox.code(email);
        await guessWrong(agents, { agent: claiming.agent, otp }, 5);
        if (attempt === 3) claiming.otp = otp;
      }
    },
    [410, "claim_expired"],
    [410, "claim_expired"],
  ],
  [
    "revoked",
    (agents, { agent }) => setRegistration(agents, agent, "revoked_at"),
    [409, "claimed_or_in_flight"],
    [410, "claim_expired"],
  ],
  [
    "with a revoked key",
    async ({ api }, { agent }) =>
      expectStatus(await api("DELETE", "/api/me/key", { key: agent.credential }), 204),
    [409, "claimed_or_in_flight"],
    [410, "claim_expired"],
  ],
  [
    "with a code older than ten minutes",
    async (agents, { attempt }) => {
      const { rows } = await agents.db.query<{ life: string }>(
        `WITH code AS (SELECT id, expires_at - created_at AS life FROM one_time_codes WHERE id = $1)
         UPDATE one_time_codes SET expires_at = unix_now() FROM code WHERE code.id = one_time_codes.id
         RETURNING life`,
        [attempt.claim_attempt_id],
      );
      expect(Number(rows[0]?.life)).toBe(600);
    },
    null,
    [410, "otp_expired"],
  ],
  [
    "with five wrong codes",
    (agents, claiming) => guessWrong(agents, claiming, 5),
    null,
    [410, "otp_expired"],
  ],
];

test("In each state a claim and the right code are refused by their own errors, and the key can read", async ({
  agents,
}) => {
  await eachOf(STATES, async ([state, reach, claim, complete]) => {
    const claiming = await agents.claiming();
    const { claim_token, credential: key } = claiming.agent;
    await reach(agents, claiming);
    expectError(await agents.complete(claim_token, claiming.otp), ...complete);
    for (const email of [claiming.email, freshEmail()]) {
      const again = await agents.claim(claim_token, email);
      if (claim === null) expectStatus(again, 200);
      else expectError(again, ...claim);
    }
    if (state.includes("revoked")) return;
    expectStatus(await agents.api("GET", "/api/tasks", { key }), 200);
  });
});

test.describe("Starting a claim", () => {
  test("A claim token that is unknown, or a resource's, is 404, and an agent's claims no resource", async ({
    agents,
  }) => {
    const { body: task } = await agents.api("POST", "/api/tasks", { body: { name: "Public" } });
    for (const token of ["clm_0123456789ABCDEFGHIJKLMNO", task.claim_token]) {
      for (const response of [
        await agents.claim(token, freshEmail()),
        await agents.complete(token, "123456"),
      ]) {
        expectError(response, 404, "invalid_claim_token", "claim_token");
      }
    }
    const { credential: key, claim_token } = await agents.anonymous();
    const body = { claim_token };
    const response = await agents.api("POST", `/api/claim/${task.id}`, { key, body });
    expectError(response, 403, "invalid_claim_token", "claim_token");
  });

  const BAD: Array<[body: Record<string, unknown>, param: string]> = [
    [{ email: "a@example.com" }, "claim_token"],
    [{ claim_token: "", email: "a@example.com" }, "claim_token"],
    [{ claim_token: 1, email: "a@example.com" }, "claim_token"],
    [{ claim_token: "clm_x" }, "email"],
    [{ claim_token: "clm_x", email: "" }, "email"],
    [{ claim_token: "clm_x", email: "nobody" }, "email"],
    [{ claim_token: "clm_x", email: "a@example.com, b@example.com" }, "email"],
    [{ claim_token: "clm_x", email: "a@example.com", otp: "123456" }, "otp"],
  ];
  test("A bad body is 400 and names the property, before the token is looked up", async ({
    agents,
  }) => {
    for (const [body, param] of BAD) {
      const response = await agents.api("POST", "/api/agent/auth/claim", { body });
      expectError(response, 400, "invalid_request", param);
    }
  });

  test("A repeated request within a minute returns the same attempt and sends no second email", async ({
    agents,
  }) => {
    const { agent, email, attempt, otp } = await agents.claiming();
    const again = await agents.claim(agent.claim_token, ` ${email.toUpperCase()}`);
    expectStatus(again, 200);
    expect(bodyOf(again)).toEqual(attempt);
    expectStatus(await agents.complete(agent.claim_token, otp), 200);
    expect(agents.mailbox.mailsTo(email)).toHaveLength(1);
  });

  test("Parallel starts send one email", async ({ agents }) => {
    const { claim_token } = await agents.anonymous();
    const email = freshEmail();
    const responses = await Promise.all(
      Array.from({ length: 8 }, () => agents.claim(claim_token, email)),
    );
    for (const response of responses) expectStatus(response, 200);
    expect(new Set(responses.map((response) => bodyOf(response).claim_attempt_id)).size).toBe(1);
    expectStatus(await agents.complete(claim_token, await agents.mailbox.code(email)), 200);
  });

  test("After a minute a new attempt replaces the previous one and invalidates its code", async ({
    agents,
  }) => {
    const { agent, email, attempt, otp } = await agents.claiming();
    await age(agents, attempt.claim_attempt_id);
    const second = bodyOf(await agents.claim(agent.claim_token, email));
    expect(second.claim_attempt_id).not.toBe(attempt.claim_attempt_id);
    const fresh = await agents.mailbox.code(email, 2);
    if (fresh !== otp) {
      expectRefusedCode(agents, await agents.complete(agent.claim_token, otp));
    }
    expectStatus(await agents.complete(agent.claim_token, fresh), 200);
  });

  // Otherwise an attacker could bind the key to a victim's address.
  test("A code sent to one address cannot claim for another", async ({ agents }) => {
    const { agent, email: mine, otp } = await agents.claiming();
    const victim = freshEmail();
    expectStatus(await agents.claim(agent.claim_token, victim), 200);
    const theirs = await agents.mailbox.code(victim);
    if (theirs !== otp) expectRefusedCode(agents, await agents.complete(agent.claim_token, otp));
    expectStatus(await agents.complete(agent.claim_token, theirs), 200);
    const { rows } = await agents.db.query(
      `SELECT email FROM agent_registrations JOIN users ON users.id = claimed_by_user_id
       WHERE agent_registrations.id = $1`,
      [agent.registration_id],
    );
    expect(rows).toEqual([{ email: victim }]);
    expect(victim).not.toBe(mine);
  });

  test("A service_auth claim is resent only to its own address", async ({ agents }) => {
    const email = freshEmail();
    const { claim_token, claim_attempt_id } = await agents.hinted(email);
    expectError(await agents.claim(claim_token, freshEmail()), 400, "invalid_request", "email");
    const attempt = async () => bodyOf(await agents.claim(claim_token, email)).claim_attempt_id;
    expect(await attempt()).toBe(claim_attempt_id);
    await age(agents, claim_attempt_id);
    expect(await attempt()).not.toBe(claim_attempt_id);
    expectStatus(await agents.complete(claim_token, await agents.mailbox.code(email, 2)), 200);
  });

  test("When an email is refused, the previous attempt can still be completed", async ({
    agents,
  }) => {
    const { agent, otp } = await agents.claiming();
    const other = freshEmail();
    agents.mailbox.refuse(true);
    const refused = await agents.claim(agent.claim_token, other);
    agents.mailbox.refuse(false);
    expectError(refused, 503, "mail_unavailable");
    expectStatus(await agents.complete(agent.claim_token, otp), 200);
  });

  test("A repeated request during an email that is refused is sent its own", async ({ agents }) => {
    const { claim_token, registration_id } = await agents.anonymous();
    const email = freshEmail();
    const release = agents.mailbox.hold();
    const first = agents.claim(claim_token, email);
    await agents.mailbox.code(email);
    const repeated = agents.claim(claim_token, email);
    // Each look locks the registration, and its transaction ID stays in the row's xmax.
    const seen = new Set<string>();
    const looks = async () => {
      const { rows } = await agents.db.query<{ xmax: string }>(
        "SELECT xmax::text FROM agent_registrations WHERE id = $1",
        [registration_id],
      );
      return seen.add(rows[0]?.xmax ?? "").size;
    };
    await expect.poll(looks, { intervals: [20] }).toBe(3);
    release(true);
    expectError(await first, 503, "mail_unavailable");
    expectStatus(await repeated, 200);
    const otp = await agents.mailbox.code(email, 2);
    expectStatus(await agents.complete(claim_token, otp), 200);
  });

  test("Of two attempts the later one counts, even if its email is faster", async ({ agents }) => {
    const { claim_token } = await agents.anonymous();
    const [early, late] = [freshEmail(), freshEmail()];
    const release = agents.mailbox.hold();
    const slow = agents.claim(claim_token, early);
    const replaced = await agents.mailbox.code(early);
    // The next emails are not held, and the first one still is.
    agents.mailbox.hold()();
    const { claim_attempt_id } = bodyOf(await agents.claim(claim_token, late));
    release();
    expect(bodyOf(await slow)).toMatchObject({ claim_attempt_id, status: "initiated" });
    expectRefusedCode(agents, await agents.complete(claim_token, replaced));
    expectStatus(await agents.complete(claim_token, await agents.mailbox.code(late)), 200);
  });

  test("A new attempt replaces one of a server whose clock is ahead", async ({ agents }) => {
    const { claim_token } = await agents.anonymous();
    const [wrong, right] = [freshEmail(), freshEmail()];
    const { claim_attempt_id } = bodyOf(await agents.claim(claim_token, wrong));
    const replaced = await agents.mailbox.code(wrong);
    // IDs begin with the time of their server.
    const ahead = claim_attempt_id.replace(/_./, "_z");
    await agents.db.query(
      "UPDATE one_time_codes SET id = $2, created_at = created_at - 2 WHERE id = $1",
      [claim_attempt_id, ahead],
    );
    await agents.db.query(
      "UPDATE agent_registrations SET current_attempt_id = $2 WHERE current_attempt_id = $1",
      [claim_attempt_id, ahead],
    );
    expect(bodyOf(await agents.claim(claim_token, right)).claim_attempt_id).not.toBe(ahead);
    expectRefusedCode(agents, await agents.complete(claim_token, replaced));
    expectStatus(await agents.complete(claim_token, await agents.mailbox.code(right)), 200);
  });

  test("A registration is sent at most five emails", async ({ agents }) => {
    const { claim_token } = await agents.anonymous();
    for (let mail = 0; mail < 5; mail += 1) {
      expectStatus(await agents.claim(claim_token, freshEmail()), 200);
    }
    expectLimited(await agents.claim(claim_token, freshEmail()));
  });

  test("In local mode an address is sent any number of emails", async ({ agents }) => {
    const email = freshEmail();
    for (let mail = 0; mail < 6; mail += 1) {
      await agents.hinted(email);
    }
    expectStatus(await agents.claim((await agents.anonymous()).claim_token, email), 200);
    // Its length does not depend on how many codes are pending.
    expect(await agents.mailbox.code(email, 7)).toMatch(/^\d{6}$/);
  });

  test("After many wrong codes, of sign-ins too, an address gets longer codes for a day", async ({
    agents,
  }) => {
    const email = freshEmail();
    await addFailures(agents, email, 10);
    await addFailures(agents, email, 5, "sign-in");
    const { claim_token } = await agents.hinted(email);
    const short = await agents.mailbox.code(email);
    expect(short).toMatch(/^\d{6}$/);
    for (let i = 1; i <= 5; i += 1) await agents.complete(claim_token, wrongCode(short, i));
    const next = await agents.hinted(email);
    const long = await agents.mailbox.code(email, 2);
    expect(long).toMatch(/^\d{12}$/);
    expectRefusedCode(agents, await agents.complete(next.claim_token, long.slice(0, 6)));
    expectStatus(await agents.complete(next.claim_token, long), 200);
    await agents.hinted(email);
    expect(await agents.mailbox.code(email, 3)).toMatch(/^\d{12}$/);
    const pass = "UPDATE one_time_codes SET created_at = created_at - 86400 WHERE email = $1";
    await agents.db.query(pass, [email]);
    await agents.hinted(email);
    expect(await agents.mailbox.code(email, 4)).toMatch(/^\d{6}$/);
  });
});

test.describe("Completing a claim", () => {
  test("A code of the wrong type is 400 and does not count as an attempt", async ({ agents }) => {
    const { agent, otp } = await agents.claiming();
    for (const value of [Number(otp), null, [otp], undefined]) {
      const body = { claim_token: agent.claim_token, otp: value };
      const response = await agents.api("POST", "/api/agent/auth/claim/complete", { body });
      expectError(response, 400, "invalid_request", "otp");
    }
    expect(await failures(agents, agent.registration_id)).toEqual({ attempt: 0, total: 0 });
  });

  test("Any other string is 401 otp_invalid, before an attempt too, and counts as a try", async ({
    agents,
  }) => {
    const { claim_token } = await agents.anonymous();
    const early = await agents.complete(claim_token, "123456");
    expectRefusedCode(agents, early);
    expect(early.body.error.message).toContain("Start the claim");
    const { agent, otp } = await agents.claiming();
    for (const text of ["", "12345", `${otp}0`, "abcdef", "\u0000"]) {
      expectRefusedCode(agents, await agents.complete(agent.claim_token, text));
    }
    expect(await failures(agents, agent.registration_id)).toEqual({ attempt: 5, total: 5 });
    expectError(await agents.complete(agent.claim_token, otp), 410, "otp_expired");
  });

  test("Wrong codes at the attempts for one address count together", async ({ agents }) => {
    const email = freshEmail();
    const attempts: { claim_token: string; otp: string }[] = [];
    for (let mail = 1; mail <= 5; mail += 1) {
      const { claim_token } = await agents.hinted(email);
      attempts.push({ claim_token, otp: await agents.mailbox.code(email, mail) });
    }
    const last = attempts.pop();
    for (const { claim_token, otp } of attempts) {
      for (let i = 1; i <= 5; i += 1) await agents.complete(claim_token, wrongCode(otp, i));
    }
    const { claim_token = "", otp = "" } = last ?? {};
    expectError(await agents.complete(claim_token, otp), 410, "otp_expired");
    const next = await agents.hinted(email);
    const long = await agents.mailbox.code(email, 6);
    expectStatus(await agents.complete(next.claim_token, long), 200);
  });

  test("After five wrong codes, a new attempt starts over at once", async ({ agents }) => {
    const { agent, email, attempt, otp } = await agents.claiming();
    await guessWrong(agents, { agent, otp }, 5);
    expectError(await agents.complete(agent.claim_token, otp), 410, "otp_expired");
    const { body } = await agents.claim(agent.claim_token, email);
    expect(body).not.toMatchObject({ claim_attempt_id: attempt.claim_attempt_id });
    const fresh = await agents.mailbox.code(email, 2);
    await guessWrong(agents, { agent, otp: fresh }, 4);
    expectStatus(await agents.complete(agent.claim_token, fresh), 200);
    // The right code is not counted.
    expect(await failures(agents, agent.registration_id)).toEqual({ attempt: 4, total: 9 });
  });

  test("Of many parallel wrong codes only five are compared", async ({ agents }) => {
    const { agent, otp } = await agents.claiming();
    const responses = await Promise.all(
      Array.from({ length: 25 }, (_, i) =>
        agents.complete(agent.claim_token, wrongCode(otp, i + 1)),
      ),
    );
    expect(responses.filter(({ status }) => status === 401)).toHaveLength(5);
    for (const response of responses.filter(({ status }) => status !== 401)) {
      expectError(response, 410, "otp_expired");
    }
    expect(await failures(agents, agent.registration_id)).toEqual({ attempt: 5, total: 5 });
  });

  test("Of parallel right codes one wins, and the others learn of the claim", async ({
    agents,
    rows,
  }) => {
    for (const flow of ["anonymous", "service_auth"]) {
      const email = freshEmail();
      const { claim_token, registration_id } =
        flow === "anonymous" ? (await agents.claiming(email)).agent : await agents.hinted(email);
      const otp = await agents.mailbox.code(email);
      const responses = await Promise.all(
        Array.from({ length: 16 }, () => agents.complete(claim_token, otp)),
      );
      expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
      for (const response of responses.filter(({ status }) => status !== 200)) {
        expectError(response, 409, "previously_claimed");
      }
      const keys = rows.apiKey.count({ where: { registration_id } });
      expect(await keys).toBe(1);
    }
  });

  test("An Idempotency-Key replays a lost response, though the code works only once", async ({
    agents,
    rows,
  }) => {
    const email = freshEmail();
    const { claim_token } = await agents.hinted(email);
    const body = { claim_token, otp: await agents.mailbox.code(email) };
    const complete = (key: string) =>
      agents.api("POST", "/api/agent/auth/claim/complete", {
        body,
        headers: { "idempotency-key": key },
      });
    const key = `claim-${claim_token.slice(-12)}`;
    const first = await complete(key);
    expectStatus(first, 200);
    const again = await complete(key);
    expectStatus(again, 200);
    expect(bodyOf(again)).toEqual(bodyOf(first));
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expectError(await complete(`${key}-other`), 409, "previously_claimed");
    const keys = rows.apiKey.count({ where: { registration_id: bodyOf(first).registration_id } });
    expect(await keys).toBe(1);
  });
});

test("Each step is audited with address and time, and without secrets", async ({ agents }) => {
  const { agent, email, otp } = await agents.claiming();
  await agents.complete(agent.claim_token, wrongCode(otp));
  await agents.complete(agent.claim_token, otp);
  const rows = await rowsOf(agents.db).auditEvent.findMany({
    where: { registration_id: agent.registration_id },
    orderBy: { id: "asc" },
  });
  expect(rows.map(({ action }) => action)).toEqual([
    "registration.created",
    "claim.requested",
    "otp.generated",
    "otp.failed",
    "claim.confirmed",
  ]);
  for (const row of rows) {
    expect(row).toMatchObject({ ip: "127.0.0.1", organization_id: expect.stringMatching(/^org_/) });
  }
  expect(rows[1]?.data).toEqual({ email });
  const text = JSON.stringify(rows);
  for (const secret of [agent.credential, agent.claim_token, sha256(agent.claim_token)]) {
    expect(text).not.toContain(secret);
  }
});

function expectRefusedCode(agents: Agents, response: ApiResponse) {
  expectError(response, 401, "otp_invalid", "otp");
  expect(response.headers.all("www-authenticate")).toEqual([
    challenges(agents.baseUrl).credentialNeeded,
  ]);
}

/** Tries so many wrong codes, each of which is refused as such. */
async function guessWrong(
  agents: Agents,
  { agent, otp }: Pick<Claiming, "agent" | "otp">,
  count: number,
) {
  for (let i = 1; i <= count; i += 1) {
    expectRefusedCode(agents, await agents.complete(agent.claim_token, wrongCode(otp, i)));
  }
}

/** Lets the time in this column of a registration be now. */
async function setRegistration(
  agents: Agents,
  { registration_id }: Claiming["agent"],
  column: "claim_token_expires_at" | "revoked_at",
) {
  await agents.db.query(`UPDATE agent_registrations SET ${column} = unix_now() WHERE id = $1`, [
    registration_id,
  ]);
}

/** Records wrong codes for an address as of two hours ago. */
async function addFailures(agents: Agents, email: string, failures: number, purpose = "claim") {
  await agents.db.query(
    `INSERT INTO one_time_codes (id, purpose, subject, email, mac, failures, created_at, expires_at)
     SELECT 'cla_0' || md5(random()::text), $3, 'reg_x', $1, '', 5, unix_now() - 7200, 0
     FROM generate_series(1, $2)`,
    [email, failures / 5, purpose],
  );
}

/** Makes an attempt older by 61 seconds. */
async function age(agents: Agents, attemptId: string) {
  const statement = "UPDATE one_time_codes SET created_at = created_at - 61 WHERE id = $1";
  await agents.db.query(statement, [attemptId]);
}

async function failures(agents: Agents, registrationId: string) {
  const { rows } = await agents.db.query(
    `SELECT failures AS attempt, otp_failures_total AS total
     FROM agent_registrations JOIN one_time_codes ON one_time_codes.id = current_attempt_id
     WHERE agent_registrations.id = $1`,
    [registrationId],
  );
  return rows[0];
}
