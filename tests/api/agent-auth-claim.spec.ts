import { type Agents, bodyOf, expect, freshEmail, test } from "../support/agents";
import { challenges, expectError, expectStatus } from "../support/expectations";
import type { ApiResponse } from "../support/http";
import { sha256 } from "../support/keys";
import { wrongCode } from "../support/mailbox";

/** Claims by one-time code. */

test("A claim raises the scopes of the agent's key, and keeps key and organization", async ({
  agents,
}) => {
  const { agent, email, attempt, otp } = await agents.claiming();
  expect(attempt).toEqual({
    registration_id: agent.registration_id,
    claim_attempt_id: expect.stringMatching(/^cla_/),
    status: "initiated",
    expires_at: expect.any(Number),
    otp_expires: attempt.expires_at,
  });
  const key = agent.credential;
  const before = await registration(agents, agent.registration_id);
  expectError(
    await agents.api("POST", "/api/tasks", { key, body: { name: "x" } }),
    403,
    "insufficient_scope",
  );
  const completed = await agents.complete(agent.claim_token, otp);
  expectStatus(completed, 200);
  expect(bodyOf(completed)).toEqual({
    registration_id: agent.registration_id,
    status: "claimed",
    scopes: ["api.read", "api.write"],
  });
  const created = await agents.api("POST", "/api/tasks", { key, body: { name: "x" } });
  expectStatus(created, 201);
  expect(created.body.organization_id).toBe(before.organization_id);
  const { rows } = await agents.db.query(
    `SELECT role, email FROM members JOIN users ON users.id = user_id WHERE organization_id = $1`,
    [before.organization_id],
  );
  expect(rows).toEqual([{ role: "owner", email }]);
});

for (const [type, prefix] of [
  ["api_key", "svc_live_"],
  ["access_token", "svc_at_"],
] as const) {
  test(`A service_auth agent gets its ${type} when the claim is complete`, async ({ agents }) => {
    const email = freshEmail();
    const registered = bodyOf(
      await agents.register({
        type: "service_auth",
        login_hint: email,
        requested_credential_type: type,
      }),
    );
    const otp = await agents.mailbox.code(email);
    const response = await agents.complete(
      registered.claim_token,
      ` ${otp.slice(0, 3)}-${otp.slice(3)} `,
    );
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
    const key = body.credential;
    expectStatus(await agents.api("POST", "/api/tasks", { key, body: { name: "x" } }), 201);
  });
}

test("All agents that a user confirms by email join the user's organization", async ({
  agents,
}) => {
  const email = freshEmail();
  const organizations = new Set<string | null>();
  for (const round of [1, 2]) {
    const { claim_token } = bodyOf(
      await agents.register({ type: "service_auth", login_hint: email }),
    );
    const otp = await agents.mailbox.code(email, round);
    const { credential: key } = bodyOf(await agents.complete(claim_token, otp));
    organizations.add(
      (await agents.api("POST", "/api/tasks", { key, body: { name: "x" } })).body.organization_id,
    );
  }
  expect(organizations.size).toBe(1);
});

test.describe("Starting a claim", () => {
  test("An unknown claim token is 404 at both endpoints", async ({ agents }) => {
    const unknown = "clm_0123456789ABCDEFGHIJKLMNO";
    expectError(
      await agents.claim(unknown, freshEmail()),
      404,
      "invalid_claim_token",
      "claim_token",
    );
    expectError(
      await agents.complete(unknown, "123456"),
      404,
      "invalid_claim_token",
      "claim_token",
    );
  });

  test("Claim tokens of agents and of resources are not interchangeable", async ({ agents }) => {
    const { body: task } = await agents.api("POST", "/api/tasks", { body: { name: "Public" } });
    expectError(
      await agents.claim(task.claim_token, freshEmail()),
      404,
      "invalid_claim_token",
      "claim_token",
    );
    const { credential: key, claim_token } = await agents.anonymous();
    const response = await agents.api("POST", `/api/claim/${task.id}`, {
      key,
      body: { claim_token },
    });
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
    await age(agents, attempt.claim_attempt_id, 61);
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
    const { claim_token, claim_attempt_id } = bodyOf(
      await agents.register({ type: "service_auth", login_hint: email }),
    );
    expectError(await agents.claim(claim_token, freshEmail()), 400, "invalid_request", "email");
    expect(bodyOf(await agents.claim(claim_token, email)).claim_attempt_id).toBe(claim_attempt_id);
    await age(agents, claim_attempt_id, 61);
    expect(bodyOf(await agents.claim(claim_token, email)).claim_attempt_id).not.toBe(
      claim_attempt_id,
    );
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
      expectStatus(await agents.register({ type: "service_auth", login_hint: email }), 201);
    }
    expectStatus(await agents.claim((await agents.anonymous()).claim_token, email), 200);
    await agents.mailbox.code(email, 7);
  });

  test("After many wrong codes an address gets longer codes until one succeeds", async ({
    agents,
  }) => {
    const email = freshEmail();
    await addFailures(agents, email, 15);
    const registered = await agents.register({ type: "service_auth", login_hint: email });
    const { claim_token } = bodyOf(registered);
    const short = await agents.mailbox.code(email);
    expect(short).toMatch(/^\d{6}$/);
    for (let i = 1; i <= 5; i += 1) await agents.complete(claim_token, wrongCode(short, i));
    const next = bodyOf(await agents.register({ type: "service_auth", login_hint: email }));
    const long = await agents.mailbox.code(email, 2);
    expect(long).toMatch(/^\d{12}$/);
    expectRefusedCode(agents, await agents.complete(next.claim_token, long.slice(0, 6)));
    expectStatus(await agents.complete(next.claim_token, long), 200);
    await agents.register({ type: "service_auth", login_hint: email });
    expect(await agents.mailbox.code(email, 3)).toMatch(/^\d{6}$/);
  });

  test("Pending codes count as attempts, so parallel claims allow no more guesses", async ({
    agents,
  }) => {
    const email = freshEmail();
    await addFailures(agents, email, 10);
    const lengths: number[] = [];
    for (let mail = 1; mail <= 3; mail += 1) {
      await agents.register({ type: "service_auth", login_hint: email });
      lengths.push((await agents.mailbox.code(email, mail)).length);
    }
    expect(lengths).toEqual([6, 6, 12]);
  });
});

test.describe("Completing a claim", () => {
  test("Before any attempt every code is 401 otp_invalid", async ({ agents }) => {
    const { claim_token } = await agents.anonymous();
    expectRefusedCode(agents, await agents.complete(claim_token, "123456"));
  });

  test("A code of the wrong type is 400 and does not count as an attempt", async ({ agents }) => {
    const { agent, otp } = await agents.claiming();
    for (const value of [Number(otp), null, [otp], undefined]) {
      const body = { claim_token: agent.claim_token, otp: value };
      const response = await agents.api("POST", "/api/agent/auth/claim/complete", { body });
      expectError(response, 400, "invalid_request", "otp");
    }
    expect(await failures(agents, agent.registration_id)).toEqual({ attempt: 0, total: 0 });
  });

  test("Any other string counts as an attempt", async ({ agents }) => {
    const { agent, otp } = await agents.claiming();
    for (const text of ["", "12345", `${otp}0`, "abcdef", "\u0000"]) {
      expectRefusedCode(agents, await agents.complete(agent.claim_token, text));
    }
    expect(await failures(agents, agent.registration_id)).toEqual({ attempt: 5, total: 5 });
    expectError(await agents.complete(agent.claim_token, otp), 410, "otp_expired");
  });

  test("Five wrong codes end an attempt, and a new one starts over", async ({ agents }) => {
    const { agent, email, attempt, otp } = await agents.claiming();
    for (let i = 1; i <= 5; i += 1) {
      expectRefusedCode(agents, await agents.complete(agent.claim_token, wrongCode(otp, i)));
    }
    expectError(await agents.complete(agent.claim_token, otp), 410, "otp_expired");
    await age(agents, attempt.claim_attempt_id, 61);
    await agents.claim(agent.claim_token, email);
    expectStatus(
      await agents.complete(agent.claim_token, await agents.mailbox.code(email, 2)),
      200,
    );
  });

  test("The right code after four wrong ones completes the claim and is not counted as wrong", async ({
    agents,
  }) => {
    const { agent, otp } = await agents.claiming();
    for (let i = 1; i <= 4; i += 1) await agents.complete(agent.claim_token, wrongCode(otp, i));
    expectStatus(await agents.complete(agent.claim_token, otp), 200);
    expect(await failures(agents, agent.registration_id)).toEqual({ attempt: 4, total: 4 });
  });

  test("Fifteen wrong codes over all attempts lock the claim for good, and the key can still read", async ({
    agents,
  }) => {
    const { agent, otp } = await agents.claiming();
    let code = otp;
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      for (let i = 1; i <= 5; i += 1) {
        expectRefusedCode(agents, await agents.complete(agent.claim_token, wrongCode(code, i)));
      }
      if (attempt === 3) break;
      const email = freshEmail();
      expectStatus(await agents.claim(agent.claim_token, email), 200);
      code = await agents.mailbox.code(email);
    }
    expectError(await agents.complete(agent.claim_token, code), 410, "claim_expired");
    expectError(await agents.claim(agent.claim_token, freshEmail()), 410, "claim_expired");
    expectStatus(await agents.api("GET", "/api/tasks", { key: agent.credential }), 200);
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
  }) => {
    for (const flow of ["anonymous", "service_auth"]) {
      const email = freshEmail();
      const { claim_token, registration_id } =
        flow === "anonymous"
          ? (await agents.claiming(email)).agent
          : bodyOf(await agents.register({ type: flow, login_hint: email }));
      const otp = await agents.mailbox.code(email);
      const responses = await Promise.all(
        Array.from({ length: 16 }, () => agents.complete(claim_token, otp)),
      );
      expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
      for (const response of responses.filter(({ status }) => status !== 200)) {
        expectError(response, 409, "previously_claimed");
      }
      const { rows } = await agents.db.query(
        "SELECT count(*)::int AS keys FROM api_keys WHERE registration_id = $1",
        [registration_id],
      );
      expect(rows).toEqual([{ keys: 1 }]);
    }
  });

  test("An Idempotency-Key replays a lost response, though the code works only once", async ({
    agents,
  }) => {
    const email = freshEmail();
    const { claim_token } = bodyOf(
      await agents.register({ type: "service_auth", login_hint: email }),
    );
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
    const { rows } = await agents.db.query(
      "SELECT count(*)::int AS keys FROM api_keys WHERE registration_id = $1",
      [bodyOf(first).registration_id],
    );
    expect(rows).toEqual([{ keys: 1 }]);
  });

  test("After a claim the token gets only two responses", async ({ agents }) => {
    const { agent, email, otp } = await agents.claiming();
    expectStatus(await agents.complete(agent.claim_token, otp), 200);
    expectError(await agents.complete(agent.claim_token, otp), 409, "previously_claimed");
    expectError(await agents.claim(agent.claim_token, email), 409, "claimed_or_in_flight");
    expectError(await agents.claim(agent.claim_token, freshEmail()), 409, "claimed_or_in_flight");
  });

  test("A code expires after ten minutes", async ({ agents }) => {
    const { agent, attempt, otp } = await agents.claiming();
    const { rows } = await agents.db.query(
      "SELECT expires_at - created_at AS life FROM one_time_codes WHERE id = $1",
      [attempt.claim_attempt_id],
    );
    expect(Number(rows[0].life)).toBe(600);
    await agents.db.query("UPDATE one_time_codes SET expires_at = unix_now() WHERE id = $1", [
      attempt.claim_attempt_id,
    ]);
    expectError(await agents.complete(agent.claim_token, otp), 410, "otp_expired");
  });

  test("After the claim window the agent cannot be claimed, and its anonymous key still works", async ({
    agents,
  }) => {
    const { agent, email, otp } = await agents.claiming();
    await agents.db.query(
      "UPDATE agent_registrations SET claim_token_expires_at = unix_now() WHERE id = $1",
      [agent.registration_id],
    );
    expectError(await agents.complete(agent.claim_token, otp), 410, "claim_expired");
    expectError(await agents.claim(agent.claim_token, email), 410, "claim_expired");
    expectStatus(await agents.api("GET", "/api/tasks", { key: agent.credential }), 200);
  });

  test("A revoked registration cannot be claimed", async ({ agents }) => {
    const { agent, email, otp } = await agents.claiming();
    await agents.db.query("UPDATE agent_registrations SET revoked_at = unix_now() WHERE id = $1", [
      agent.registration_id,
    ]);
    expectError(await agents.complete(agent.claim_token, otp), 410, "claim_expired");
    expectError(await agents.claim(agent.claim_token, email), 409, "claimed_or_in_flight");
  });
});

test("Each step is audited with address and time, and without secrets", async ({ agents }) => {
  const { agent, email, otp } = await agents.claiming();
  await agents.complete(agent.claim_token, wrongCode(otp));
  await agents.complete(agent.claim_token, otp);
  const { rows } = await agents.db.query(
    "SELECT * FROM audit_events WHERE registration_id = $1 ORDER BY id",
    [agent.registration_id],
  );
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
  expect(rows[1].data).toEqual({ email });
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

function expectLimited(response: ApiResponse) {
  expectError(response, 429, "rate_limited");
  expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
}

/** Records wrong codes for an address as of two hours ago. */
async function addFailures(agents: Agents, email: string, failures: number) {
  await agents.db.query(
    `INSERT INTO one_time_codes (id, purpose, subject, email, mac, failures, created_at, expires_at)
     SELECT 'cla_0' || md5(random()::text), 'claim', 'reg_x', $1, '', 5, unix_now() - 7200, 0
     FROM generate_series(1, $2)`,
    [email, failures / 5],
  );
}

/** Makes an attempt older by this many seconds. */
async function age(agents: Agents, attemptId: string, seconds: number) {
  await agents.db.query("UPDATE one_time_codes SET created_at = created_at - $2 WHERE id = $1", [
    attemptId,
    seconds,
  ]);
}

async function registration(agents: Agents, id: string) {
  const { rows } = await agents.db.query("SELECT * FROM agent_registrations WHERE id = $1", [id]);
  return rows[0];
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
