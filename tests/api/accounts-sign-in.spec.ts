import { randomInt } from "node:crypto";
import fs from "node:fs";
import type { Socket } from "node:net";
import type { Organization } from "../support/accounts";
import { expect, freshEmail } from "../support/agents";
import { test as base } from "../support/fixtures";
import { sha256 } from "../support/keys";
import { whileLocked } from "../support/locks";
import { wrongCode } from "../support/mailbox";
import { makePerson } from "../support/people";
import { startRaw } from "../support/raw-target";
import { makeTemporaryFolder } from "../support/servers";
import { clockWithRoom } from "../support/windows";

/** Sign-in by email. People use the same code engine as agents' claims. */

type Accounts = Awaited<ReturnType<typeof load>>;

const test = base.extend<{ publicMode: undefined }, { accounts: Accounts }>({
  /** Local mode has no limit on emails. */
  publicMode: async ({ accounts }, use) => {
    accounts.setLocalMode(false);
    await use(undefined);
    accounts.setLocalMode(true);
  },
  accounts: [
    async ({ databaseUrl }, use) => {
      const folder = makeTemporaryFolder();
      const mailFile = `${folder}/mail.jsonl`;
      const held: Socket[] = [];
      const smtp = await startRaw((socket) => held.push(socket));
      const settings = {
        DATABASE_URL: databaseUrl,
        DATA_DIR: folder,
        MAIL_TRANSPORT: "file",
        MAIL_FILE: mailFile,
        SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
      };
      Object.assign(process.env, settings);
      const accounts = await load(mailFile, held);
      await use(accounts);
      await accounts.close();
      smtp.stop();
      fs.rmSync(folder, { recursive: true, force: true });
    },
    { scope: "worker" },
  ],
});

async function load(mailFile: string, held: Socket[]) {
  const { pool } = await import("@/lib/platform/db/connections");
  const { config } = await import("@/lib/platform/config/config");
  return {
    ...(await import("@/lib/identity/people/deletion")),
    ...(await import("@/lib/identity/people/prepare-code")),
    ...(await import("@/lib/identity/people/sign-in")),
    ...(await import("@/lib/identity/sessions/sessions")),
    ...(await import("@/lib/identity/organizations/members")),
    ...(await import("@/lib/identity/organizations/invitations")),
    ...(await import("@/lib/identity/organizations/organization")),
    ...(await import("@/lib/resources/notices/settings")),
    ...(await import("@/lib/identity/sessions/visitor")),
    setLocalMode(localMode: boolean) {
      Object.assign(config(), { localMode });
    },
    /** With `smtp`, senders wait for a greeting. */
    sendBy(transport: "file" | "smtp") {
      Object.assign(config().mail, { transport });
    },
    /** The connections of those senders. */
    held,
    close: () => pool().end(),
    mailsTo(address: string): number {
      return fs.readFileSync(mailFile, "utf8").split(`"to":"${address}"`).length - 1;
    },
    code(address: string): string {
      const mails = fs.readFileSync(mailFile, "utf8").trim().split("\n");
      const mail = mails.map((line) => JSON.parse(line)).findLast(({ to }) => to === address);
      expect(mail).toEqual({
        to: address,
        subject: expect.any(String),
        text: expect.stringContaining(mail.otp),
        otp: expect.stringMatching(/^(\d{6}|\d{12})$/),
        at: expect.any(Number),
      });
      return mail.otp;
    },
  };
}

test("The first sign-in creates a user and a personal organization, and later ones find them", async ({
  accounts,
}) => {
  const email = freshEmail();
  const signIn = async () => {
    const { id } = await accounts.startSignIn(` ${email.toUpperCase()}`, "192.0.2.1");
    return accounts.completeSignIn(id, accounts.code(email), "192.0.2.1");
  };
  const [first, second] = [await signIn(), await signIn()];
  expect(second.userId).toBe(first.userId);
  expect(second.token).not.toBe(first.token);
  const [personal, ...others] = await accounts.membershipsOf(first.userId);
  expect(personal).toEqual({
    organizationId: expect.stringMatching(/^org_/),
    name: email,
    role: "owner",
  });
  expect(others).toEqual([]);
  const organizationId = personal?.organizationId ?? "";
  expect(await accounts.callerOf(first.userId, organizationId)).toEqual({
    kind: "user",
    userId: first.userId,
    organizationId,
    scopes: ["api.read", "api.write"],
  });
  await expectCode("forbidden", accounts.callerOf(first.userId, "org_other"));
});

test("A session token has 256 random bits, and only its digest is stored", async ({
  accounts,
  db,
}) => {
  const { token, userId } = await signedIn(accounts);
  expect(Buffer.from(token, "base64url")).toHaveLength(32);
  const { rows } = await db.query("SELECT digest FROM sessions WHERE user_id = $1", [userId]);
  expect(rows).toEqual([{ digest: sha256(token) }]);
  expect(await accounts.findSession(token)).toMatchObject({ userId, email: expect.any(String) });
  expect(await accounts.findSession(`${token}x`)).toBeUndefined();
});

test("A session expires after 7 idle days, and after 30 days in any case", async ({
  accounts,
  db,
}) => {
  const day = 86_400;
  const CASES: Array<[idle: number, old: number, alive: boolean]> = [
    [7 * day - 60, 7 * day, true],
    [7 * day, 7 * day, false],
    [60, 30 * day - 60, true],
    [60, 30 * day, false],
  ];
  for (const [idle, old, alive] of CASES) {
    const { token, userId } = await signedIn(accounts);
    await db.query(
      `UPDATE sessions SET last_seen_at = unix_now() - $2::bigint, created_at = unix_now() - $3::bigint
       WHERE user_id = $1`,
      [userId, idle, old],
    );
    expect((await accounts.findSession(token)) !== undefined, `${idle} ${old}`).toBe(alive);
    if (!alive) continue;
    const { rows } = await db.query<{ idle: string }>(
      "SELECT unix_now() - last_seen_at AS idle FROM sessions WHERE user_id = $1",
      [userId],
    );
    expect(Number(rows[0]?.idle)).toBeLessThan(120);
  }
});

test("Signing out ends one session or all", async ({ accounts }) => {
  const email = freshEmail();
  const [one, two, three] = [
    await signedIn(accounts, email),
    await signedIn(accounts, email),
    await signedIn(accounts, email),
  ];
  await accounts.endSession(one.token);
  expect(await accounts.findSession(one.token)).toBeUndefined();
  expect(await accounts.findSession(two.token)).toBeDefined();
  await accounts.endAllSessions(two.userId);
  expect(await accounts.findSession(two.token)).toBeUndefined();
  expect(await accounts.findSession(three.token)).toBeUndefined();

  const stranger = await signedIn(accounts);
  const own = await accounts.findSession(stranger.token);
  await accounts.endUserSession(two.userId, own?.id ?? "");
  expect(await accounts.findSession(stranger.token)).toEqual(own);
  await accounts.endUserSession(stranger.userId, own?.id ?? "");
  expect(await accounts.findSession(stranger.token)).toBeUndefined();
});

test("A sign-in code opens one session, even under parallel attempts", async ({ accounts }) => {
  const email = freshEmail();
  const { id } = await accounts.startSignIn(email, null);
  const code = accounts.code(email);
  const results = await Promise.allSettled(
    Array.from({ length: 5 }, () => accounts.completeSignIn(id, code, null)),
  );
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
});

test("Five wrong codes end a sign-in, even in parallel", async ({ accounts }) => {
  const email = freshEmail();
  const { id } = await accounts.startSignIn(email, null);
  const code = accounts.code(email);
  const results = await Promise.all(
    Array.from({ length: 12 }, (_, i) =>
      accounts.completeSignIn(id, wrongCode(code, i + 1), null).catch((error) => error.code),
    ),
  );
  expect(results.filter((result) => result === "otp_invalid")).toHaveLength(5);
  expect(results.filter((result) => result === "otp_expired")).toHaveLength(7);
  await expectCode("otp_expired", accounts.completeSignIn(id, code, null));
});

test("Another request for a code does not invalidate the first", async ({ accounts }) => {
  const email = freshEmail();
  const { id } = await accounts.startSignIn(email, "192.0.2.1");
  const code = accounts.code(email);
  await accounts.startSignIn(email, "198.51.100.1");
  expect(await accounts.completeSignIn(id, code, "192.0.2.1")).toMatchObject({
    token: expect.any(String),
  });
});

test.describe("An attacker cannot lock out the owner of an address", () => {
  test("by starting sign-ins from many networks", async ({ accounts, publicMode: _ }) => {
    const email = freshEmail();
    for (let network = 1; network <= 12; network += 1) {
      for (let i = 0; i < 2; i += 1) await accounts.startSignIn(email, `198.51.100.${network}`);
    }
    // Five individual codes, then a shared one per window; a window may end during the test.
    expect(accounts.mailsTo(email)).toBeLessThanOrEqual(7);
    const { id } = await accounts.startSignIn(email, "192.0.2.1");
    const code = accounts.code(email);
    expect(code).toMatch(/^\d{12}$/);
    expect(await accounts.completeSignIn(id, code, "192.0.2.1")).toMatchObject({
      token: expect.any(String),
    });
  });

  test("by wrong codes from many networks", async ({ accounts }) => {
    const email = freshEmail();
    for (let network = 1; network <= 8; network += 1) {
      const ip = `198.51.100.${network}`;
      const { id } = await accounts.startSignIn(email, ip);
      for (let i = 1; i <= 6; i += 1) {
        await accounts.completeSignIn(id, wrongCode("000000", i), ip).catch(() => undefined);
      }
    }
    const { id } = await accounts.startSignIn(email, "192.0.2.1");
    await accounts.completeSignIn(id, accounts.code(email), "192.0.2.1");
  });

  test("by using up the emails of a shared network, which known browsers do not count towards", async ({
    accounts,
    db,
    publicMode: _,
  }) => {
    const [email, ip] = [freshEmail(), "192.0.2.1"];
    const ownCodes = async () => {
      const { rows } = await db.query<{ codes: number }>(
        `SELECT count(*)::int AS codes FROM one_time_codes WHERE email = $1 AND "window" IS NULL`,
        [email],
      );
      return rows[0]?.codes ?? 0;
    };
    const first = await accounts.startSignIn(email, ip);
    const { proof } = await accounts.completeSignIn(first.id, accounts.code(email), ip);
    // These count for the network, but not towards the address's total.
    await db.query(
      `INSERT INTO one_time_codes (id, purpose, subject, email, source, mac, created_at, expires_at, "window")
       SELECT 'sgn_0' || md5(random()::text), 'sign-in', 'x', $1, $2, '', unix_now(), 0, 0
       FROM generate_series(1, 5)`,
      [email, ip],
    );
    const before = await ownCodes();
    const neighbour = await accounts.startSignIn(email, ip);
    const shared = accounts.code(email);
    expect(shared).toMatch(/^\d{12}$/);
    const stranger = freshEmail();
    const other = await accounts.startSignIn(stranger, ip);
    const { proof: theirs } = await accounts.completeSignIn(other.id, accounts.code(stranger), ip);
    for (const forged of ["", "x", `${proof}x`, proof.slice(1), "browser.", ".", theirs]) {
      await accounts.startSignIn(email, ip, forged);
    }
    expect(await ownCodes()).toBe(before);
    const { id } = await accounts.startSignIn(email, ip, proof);
    expect(await ownCodes()).toBe(before + 1);
    await accounts.completeSignIn(id, accounts.code(email), ip, null, proof);
    await accounts.completeSignIn(neighbour.id, shared, ip);
  });

  test("by using up the wrong codes of a shared network", async ({ accounts, db }) => {
    const ip = `203.0.${randomInt(256)}.${randomInt(256)}`;
    const email = freshEmail();
    const before = await accounts.startSignIn(email, ip);
    const short = accounts.code(email);
    await db.query("INSERT INTO usage_counters (id, uses) VALUES ($1, 199)", [`otp-tries:${ip}`]);
    const wrong = wrongCode(short);
    const tries = await Promise.all(
      Array.from({ length: 4 }, () =>
        accounts.completeSignIn(before.id, wrong, ip).catch((error) => error.code),
      ),
    );
    expect(tries.sort()).toEqual(["otp_invalid", "rate_limited", "rate_limited", "rate_limited"]);
    await expectCode("rate_limited", accounts.completeSignIn(before.id, short, ip));
    const { id } = await accounts.startSignIn(email, ip);
    const long = accounts.code(email);
    expect(long).toMatch(/^\d{12}$/);
    await accounts.completeSignIn(id, long, ip);
  });
});

test("A shared code completes one attempt and ends the others", async ({
  accounts,
  db,
  publicMode: _,
}) => {
  await clockWithRoom(db, accounts.WINDOW_SECONDS);
  const email = freshEmail();
  const attempts = [];
  for (let network = 1; network <= 8; network += 1) {
    attempts.push(await accounts.startSignIn(email, `198.51.100.${network}`));
  }
  const code = accounts.code(email);
  const [one, two] = attempts.slice(-2);
  await accounts.completeSignIn(two?.id ?? "", code, null);
  await expectCode("otp_expired", accounts.completeSignIn(one?.id ?? "", code, null));
  const { rows } = await db.query(
    `SELECT DISTINCT min(expires_at) - min(created_at) AS first, max(expires_at) - min(created_at) AS last
     FROM one_time_codes WHERE email = $1 AND "window" IS NOT NULL GROUP BY "window"`,
    [email],
  );
  expect(rows, "It works for ten minutes from its email").toEqual([{ first: "600", last: "600" }]);

  // Later attempts of the same window get other digits, in another email.
  const mails = accounts.mailsTo(email);
  const later = await accounts.startSignIn(email, "198.51.100.9");
  expect(accounts.mailsTo(email)).toBe(mails + 1);
  await expectCode("otp_invalid", accounts.completeSignIn(later.id, code, null));
  await accounts.completeSignIn(later.id, accounts.code(email), null);
});

test("A shared code that was used does not work again after its account is deleted", async ({
  accounts,
  db,
  publicMode: _,
}) => {
  const email = freshEmail();
  const share = async () => {
    for (let network = 1; network <= 5; network += 1) {
      await accounts.startSignIn(email, `198.51.100.${network}`);
    }
    const { id } = await accounts.startSignIn(email, "198.51.100.6");
    return { id, code: accounts.code(email) };
  };
  const used = await share();
  const { token } = await accounts.completeSignIn(used.id, used.code, null);
  const { caller } = await accounts.findVisitor(token);
  await db.query(
    `INSERT INTO one_time_codes (id, purpose, subject, email, mac, expires_at, "window", consumed_at)
     VALUES ('sgn_0' || md5($1), 'sign-in', 'of ' || $1, $1, '', 0, unix_now() / 300 - 2, 1)`,
    [email],
  );
  await accounts.deleteAccount(caller, email);
  const old = await db.query("SELECT FROM one_time_codes WHERE subject = 'of ' || $1", [email]);
  expect(old.rowCount, "Nothing is left of the codes of earlier times").toBe(0);
  const { id, code } = await share();
  expect(code).toMatch(/^\d{12}$/);
  await expectCode("otp_invalid", accounts.completeSignIn(id, used.code, null));
  await accounts.completeSignIn(id, code, null);
});

test("When the email with a shared code is refused, all requests for it end, and the next one is mailed", async ({
  accounts,
  db,
  publicMode: _,
}) => {
  await clockWithRoom(db, accounts.WINDOW_SECONDS);
  const email = freshEmail();
  for (let network = 1; network <= 5; network += 1) {
    await accounts.startSignIn(email, `198.51.100.${network}`);
  }
  expect(accounts.mailsTo(email)).toBe(5);
  accounts.sendBy("smtp");
  const refused = accounts.startSignIn(email, "198.51.100.6").catch((error) => error.code);
  await expect.poll(() => accounts.held.length).toBe(1);
  const second = await accounts.startSignIn(email, "198.51.100.7");
  accounts.held.pop()?.destroy();
  expect(await refused).toBe("mail_unavailable");
  accounts.sendBy("file");

  const { id } = await accounts.startSignIn(email, "198.51.100.8");
  expect(accounts.mailsTo(email)).toBe(6);
  const code = accounts.code(email);
  await expectCode("otp_expired", accounts.completeSignIn(second.id, code, null));
  await accounts.completeSignIn(id, code, null);
});

test("A shared code is mailed again if the server dies before its email is sent", async ({
  accounts,
  db,
  publicMode: _,
}) => {
  await clockWithRoom(db, accounts.WINDOW_SECONDS);
  const email = freshEmail();
  for (let network = 1; network <= 5; network += 1) {
    await accounts.startSignIn(email, `198.51.100.${network}`);
  }
  const first = await accounts.startSignIn(email, "198.51.100.6");
  // Relies on that email.
  await accounts.startSignIn(email, "198.51.100.7");
  const mails = accounts.mailsTo(email);
  await db.query("UPDATE one_time_codes SET activated_at = NULL WHERE id = $1", [first.id]);
  await accounts.startSignIn(email, "198.51.100.8");
  expect(accounts.mailsTo(email), "It may still be sent").toBe(mails);
  await db.query(
    `UPDATE one_time_codes SET created_at = created_at - 60, expires_at = expires_at - 60
     WHERE email = $1`,
    [email],
  );
  const { id } = await accounts.startSignIn(email, "198.51.100.9");
  expect(accounts.mailsTo(email)).toBe(mails + 1);
  await accounts.startSignIn(email, "198.51.100.10");
  expect(accounts.mailsTo(email)).toBe(mails + 1);
  await accounts.completeSignIn(id, accounts.code(email), null);
});

test("A person whose account has just been deleted makes no organization", async ({ accounts }) => {
  const email = freshEmail();
  const { id } = await accounts.startSignIn(email, "192.0.2.1");
  const { token } = await accounts.completeSignIn(id, accounts.code(email), "192.0.2.1");
  const { caller } = await accounts.findVisitor(token);
  await accounts.deleteAccount(caller, email);
  await expectCode(
    "unauthorized",
    accounts.createAnother(caller, "Other", (write) => write()),
  );
});

test("One network cannot cause more than 40 emails with shared codes a day", async ({
  accounts,
  db,
  publicMode: _,
}) => {
  const [email, ip] = [freshEmail(), "192.0.2.1"];
  await db.query(
    `INSERT INTO one_time_codes (id, purpose, subject, email, source, mac, expires_at, "window")
     SELECT 'sgn_0' || md5(random()::text), 'sign-in', 'x', $1, $2, '', 0, n
     FROM generate_series(1, 39) AS n`,
    [email, ip],
  );
  await accounts.startSignIn(email, ip);
  expect(accounts.mailsTo(email)).toBe(1);
  await db.query("UPDATE one_time_codes SET mac = '' WHERE email = $1", [email]);
  await expect(accounts.startSignIn(email, ip)).rejects.toMatchObject({ code: "rate_limited" });
  expect(accounts.mailsTo(email)).toBe(1);
  const { id } = await accounts.startSignIn(email, "198.51.100.1");
  await accounts.completeSignIn(id, accounts.code(email), "198.51.100.1");
});

test("An organization sends an address five invitations a day, and all together twenty", async ({
  accounts,
  db,
}) => {
  const callers = await Promise.all(
    Array.from({ length: 5 }, async () => {
      const { token } = await signedIn(accounts);
      return (await accounts.findVisitor(token)).caller;
    }),
  );
  const [first, , , , last] = callers;
  if (!first || !last) throw new Error("Five people signed in.");
  const email = freshEmail();
  accounts.setLocalMode(false);
  try {
    for (const caller of callers.slice(0, 4)) {
      for (let mail = 0; mail < 5; mail += 1) await accounts.invite(caller, email, "member");
      await expect(accounts.invite(caller, email, "member")).rejects.toMatchObject({
        code: "rate_limited",
        headers: { "Retry-After": expect.stringMatching(/^\d+$/) },
      });
    }
    // Nobody can make an address impossible to invite.
    expect(await accounts.invite(last, email, "member")).toBe(false);
    expect(accounts.mailsTo(email)).toBe(20);
    const named = "SELECT id FROM usage_counters WHERE strpos(id, $1) > 0";
    expect((await db.query(named, [email])).rows, "which outlive the account").toEqual([]);
    expect(await accounts.listInvitations(last)).toMatchObject([{ email }]);
    await accounts.invite(last, freshEmail(), "member");
  } finally {
    accounts.setLocalMode(true);
  }
  await accounts.invite(first, email, "member");
});

test("Of two organizations that invite an address at once, the one above its limit invites it without an email", async ({
  accounts,
  db,
  organization,
  otherOrganization,
  publicMode: _,
}) => {
  const callerOf = async ({ id }: Organization) =>
    accounts.callerOf((await makePerson(db, id)).id, id);
  const [one, other] = [await callerOf(organization), await callerOf(otherOrganization)];
  const email = freshEmail();
  const id = `invitations-to:${accounts.forgotten(email)}`;
  await db.query("INSERT INTO usage_counters (id, uses) VALUES ($1, 19)", [id]);
  const mailed = await whileLocked(
    db,
    { table: "usage_counters", id },
    () => accounts.invite(one, email, "member"),
    () => accounts.invite(other, email, "member"),
  );
  expect(mailed).toEqual([true, false]);
  expect(accounts.mailsTo(email)).toBe(1);
  expect(await accounts.listInvitations(other)).toMatchObject([{ email }]);
  const { rows } = await db.query("SELECT uses FROM usage_counters WHERE id = $1", [id]);
  expect(rows, "only mails count").toEqual([{ uses: 20 }]);
});

test("An invitation that is repeated is above newer ones", async ({
  accounts,
  db,
  organization,
  otherOrganization,
}) => {
  const email = freshEmail();
  const { caller } = await accounts.findVisitor((await signedIn(accounts, email)).token);
  const inviters = await Promise.all(
    [organization, otherOrganization].map(async ({ id }) => {
      const person = await makePerson(db, id);
      return { email: person.email, caller: await accounts.callerOf(person.id, id) };
    }),
  );
  for (const inviter of inviters) await accounts.invite(inviter.caller, email, "member");
  const [older, newer] = inviters;
  if (!older || !newer) throw new Error("Two people invited.");
  const shown = async () =>
    (await accounts.listReceivedInvitations(caller)).map((one) => one.invited_by?.email);
  expect(await shown()).toEqual([newer.email, older.email]);
  await db.query("UPDATE invitations SET expires_at = expires_at - 10 WHERE email = $1", [email]);
  await accounts.invite(older.caller, email, "member");
  expect(await shown()).toEqual([older.email, newer.email]);
});

test("A new owner, by first sign-in, invitation or role, is notified of failed messages, unless they chose otherwise", async ({
  accounts,
}) => {
  const joined = async (role: "owner" | "member") => {
    const email = freshEmail();
    const { token, userId } = await signedIn(accounts, email);
    const { caller } = await accounts.findVisitor(token);
    await accounts.invite(owner, email, role);
    const [invitation] = await accounts.listReceivedInvitations(caller);
    await accounts.answerInvitation(caller, invitation?.id ?? "", true);
    return { userId, member: await accounts.callerOf(userId, organizationId) };
  };
  const { token } = await signedIn(accounts);
  const { caller: owner } = await accounts.findVisitor(token);
  if (owner.kind !== "user") throw new Error("A person signed in.");
  const { organizationId } = owner;
  expect(await accounts.readNotices(owner)).toEqual(["messages"]);
  expect(await accounts.readNotices((await joined("owner")).member)).toEqual(["messages"]);
  const [promoted, chose] = [await joined("member"), await joined("member")];
  for (const { member } of [promoted, chose]) {
    expect(await accounts.readNotices(member)).toEqual([]);
  }
  await accounts.chooseNotices(chose.member, []);
  await accounts.changeRole(owner, promoted.userId, "owner");
  await accounts.changeRole(owner, chose.userId, "owner");
  expect(await accounts.readNotices(promoted.member)).toEqual(["messages"]);
  expect(await accounts.readNotices(chose.member)).toEqual([]);
});

test("A claim code cannot be used to sign in", async ({ accounts, db }) => {
  const email = freshEmail();
  const { id } = await accounts.startSignIn(email, null);
  await db.query("UPDATE one_time_codes SET purpose = 'claim' WHERE id = $1", [id]);
  await expectCode("otp_expired", accounts.completeSignIn(id, accounts.code(email), null));
});

test("An invalid address is refused", async ({ accounts }) => {
  await expect(accounts.startSignIn("nobody", null)).rejects.toMatchObject({
    code: "invalid_param",
    param: "email",
  });
});

async function expectCode(code: string, refused: Promise<unknown>) {
  await expect(refused).rejects.toMatchObject({ code });
}

async function signedIn(accounts: Awaited<ReturnType<typeof load>>, email = freshEmail()) {
  const { id } = await accounts.startSignIn(email, null);
  return accounts.completeSignIn(id, accounts.code(email), null);
}
