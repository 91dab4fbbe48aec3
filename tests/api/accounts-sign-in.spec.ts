import fs from "node:fs";
import { expect, freshEmail } from "../support/agents";
import { test as base } from "../support/fixtures";
import { sha256 } from "../support/keys";
import { wrongCode } from "../support/mailbox";
import { makeTemporaryFolder } from "../support/servers";

/** Humans sign in by mail with the engine that agents' claims use; the dashboard calls these. */

const test = base.extend<object, { accounts: Awaited<ReturnType<typeof load>> }>({
  accounts: [
    async ({ databaseUrl }, use) => {
      const folder = makeTemporaryFolder();
      const mailFile = `${folder}/mail.jsonl`;
      const settings = {
        DATABASE_URL: databaseUrl,
        DATA_DIR: folder,
        MAIL_TRANSPORT: "file",
        MAIL_FILE: mailFile,
      };
      Object.assign(process.env, settings);
      const accounts = await load(mailFile);
      await use(accounts);
      await accounts.close();
      fs.rmSync(folder, { recursive: true, force: true });
    },
    { scope: "worker" },
  ],
});

async function load(mailFile: string) {
  const { pool } = await import("@/lib/db/sql");
  return {
    ...(await import("@/lib/accounts/sign-in")),
    ...(await import("@/lib/accounts/sessions")),
    ...(await import("@/lib/accounts/members")),
    close: () => pool().end(),
    code(address: string): string {
      const mails = fs.readFileSync(mailFile, "utf8").trim().split("\n");
      const mail = mails.map((line) => JSON.parse(line)).findLast(({ to }) => to === address);
      expect(mail).toEqual({
        to: address,
        subject: expect.any(String),
        text: expect.stringContaining(mail.otp),
        otp: expect.stringMatching(/^\d{6}$/),
        at: expect.any(Number),
      });
      return mail.otp;
    },
  };
}

test("A first sign-in makes a user and a personal organization; the next finds them", async ({
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
  await expect(accounts.callerOf(first.userId, "org_other")).rejects.toMatchObject({
    code: "forbidden",
  });
});

test("A session token is 256 random bits, of which only a digest is stored", async ({
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

test("A session ends when it is idle for 7 days, and after 30 days in any case", async ({
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
    const { rows } = await db.query(
      "SELECT unix_now() - last_seen_at AS idle FROM sessions WHERE user_id = $1",
      [userId],
    );
    expect(Number(rows[0].idle)).toBeLessThan(120);
  }
});

test("Signing out ends one session, or all", async ({ accounts }) => {
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
});

test("A sign-in code opens one session: of many at once one wins", async ({ accounts }) => {
  const email = freshEmail();
  const { id } = await accounts.startSignIn(email, null);
  const code = accounts.code(email);
  const results = await Promise.allSettled(
    Array.from({ length: 5 }, () => accounts.completeSignIn(id, code, null)),
  );
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
});

test("Five wrong codes end a sign-in, also when they come at once", async ({ accounts }) => {
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
  await expect(accounts.completeSignIn(id, code, null)).rejects.toMatchObject({
    code: "otp_expired",
  });
});

test("A stranger's request for a code does not destroy the one before", async ({ accounts }) => {
  const email = freshEmail();
  const { id } = await accounts.startSignIn(email, "192.0.2.1");
  const code = accounts.code(email);
  await accounts.startSignIn(email, "198.51.100.1");
  expect(await accounts.completeSignIn(id, code, "192.0.2.1")).toMatchObject({
    token: expect.any(String),
  });
});

test("A code for a claim signs nobody in", async ({ accounts, db }) => {
  const email = freshEmail();
  const { id } = await accounts.startSignIn(email, null);
  await db.query("UPDATE one_time_codes SET purpose = 'claim' WHERE id = $1", [id]);
  await expect(accounts.completeSignIn(id, accounts.code(email), null)).rejects.toMatchObject({
    code: "otp_expired",
  });
});

test("What is no address is refused", async ({ accounts }) => {
  await expect(accounts.startSignIn("nobody", null)).rejects.toMatchObject({
    code: "invalid_param",
    param: "email",
  });
});

async function signedIn(accounts: Awaited<ReturnType<typeof load>>, email = freshEmail()) {
  const { id } = await accounts.startSignIn(email, null);
  return accounts.completeSignIn(id, accounts.code(email), null);
}
