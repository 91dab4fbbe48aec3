import { makeKey } from "../support/accounts";
import { expect, test } from "../support/browser-fixtures";
import { textOf } from "../support/forms";
import { call } from "../support/http";
import { randomText, sha256 } from "../support/keys";
import { cookieOf, makePerson, openSession, signIn } from "../support/people";
import { rowsOf } from "../support/rows";

test("A person revokes an agent in its row", async ({ page, api, db, organization }) => {
  const id = `reg_${randomText(25)}`;
  await db.query(
    `INSERT INTO agent_registrations (id, type, requested_credential_type, organization_id, claim_token_expires_at)
     VALUES ($1, 'anonymous', 'api_key', $2, unix_now() + 9999)`,
    [id, organization.id],
  );
  const key = await makeKey(db, organization.id, { scopes: ["api.read"] });
  await db.query(
    "UPDATE api_keys SET registration_id = $1 WHERE last_four = $2 AND organization_id = $3",
    [id, key.slice(-4), organization.id],
  );
  await page.goto("/keys?tab=agents");
  const row = page.locator(`#${id}`);
  await expect(row).toContainText("To claim it, give the agent your email address");
  const revoke = row.getByRole("button", { name: "Revoke" });
  // Tall enough for touch.
  expect((await revoke.boundingBox())?.height).toBeGreaterThanOrEqual(24);
  await revoke.click();
  await page.getByRole("button", { name: "Revoke agent" }).click();
  await expect(row).toContainText("revoked");
  expect((await api("GET", "/api/tasks", { key })).status).toBe(401);
});

test("An agent that gave a person's address waits in their list alone, and they can decline it", async ({
  page,
  baseUrl,
  db,
  person,
  organization,
}) => {
  const id = `reg_${randomText(25)}`;
  await db.query(
    `INSERT INTO agent_registrations (id, type, requested_credential_type, login_hint, claim_token_expires_at)
     VALUES ($1, 'service_auth', 'api_key', $2, unix_now() + 9999)`,
    [id, person.email],
  );
  const colleague = await makePerson(db, organization.id);
  const headers = { cookie: await cookieOf(db, colleague.id) };
  const { status, text } = await call(baseUrl, "GET", "/keys?tab=agents", { headers });
  expect(status).toBe(200);
  expect(text).not.toContain(id);
  await page.goto("/keys?tab=agents");
  const row = page.locator(`#${id}`);
  await expect(row).toContainText("waiting for you");
  await row.getByRole("button", { name: "Decline" }).click();
  await page.getByRole("button", { name: "Decline agent" }).click();
  await expect(row).toHaveCount(0);
  const registration = await rowsOf(db).agentRegistration.findUniqueOrThrow({ where: { id } });
  expect(registration.revoked_at).not.toBeNull();
});

test("An agent with a live key comes before all whose keys have ended, of which a search finds the oldest", async ({
  baseUrl,
  db,
  organization,
}) => {
  const [ended, live] = [`reg_0${randomText(24)}`, `reg_0${randomText(24)}`];
  await db.query(
    `INSERT INTO agent_registrations (id, type, requested_credential_type, organization_id)
     SELECT id, 'agent-provider', 'access_token'::credential_type, $1 FROM unnest($2::text[]) AS id
     UNION ALL SELECT 'reg_1' || $3 || lpad(n::text, 8, '0'), 'agent-provider', 'access_token'::credential_type, $1
     FROM generate_series(1, 2100) AS n`,
    [organization.id, [ended, live], randomText(16)],
  );
  for (const [id, expiresIn] of [
    [ended, -1],
    [live, 60],
  ] as const) {
    const key = await makeKey(db, organization.id, { expiresIn });
    await db.query("UPDATE api_keys SET registration_id = $1 WHERE digest = $2", [id, sha256(key)]);
  }
  const person = await makePerson(db, organization.id);
  const headers = { cookie: await cookieOf(db, person.id) };
  const open = async (q: string) => {
    const { text } = await call(baseUrl, "GET", `/keys?tab=agents&q=${q}`, { headers });
    return [ended, live].filter((id) => text.includes(`<tr id="${id}"`)).concat(textOf(text));
  };
  expect(await open("")).toEqual([live, expect.stringContaining("2,002 more")]);
  expect(await open(ended)).toEqual([ended, expect.not.stringContaining("more, which")]);
});

test("Notifications are off until a member chooses them, and stay chosen", async ({
  context,
  visitor: page,
  mailingServer: { baseUrl },
  db,
  organization,
}) => {
  const { id } = await makePerson(db, organization.id);
  await signIn(context, baseUrl, await openSession(db, id));
  await page.goto(`${baseUrl}/settings?tab=notices`);
  const notices = page.getByRole("region", { name: "Notifications" });
  // An owner hears of failed messages until they choose otherwise.
  await expect(notices.getByRole("checkbox", { checked: true })).toHaveCount(1);
  await notices.getByLabel("A message failed").uncheck();
  await notices.getByLabel("An inbox is nearly full").check();
  await notices.getByLabel("An agent is waiting to be claimed").check();
  await notices.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
  await expect(notices.getByRole("checkbox", { checked: true })).toHaveCount(2);
  const setting = await rowsOf(db).noticeSetting.findFirstOrThrow({ where: { user_id: id } });
  expect(setting.kinds).toEqual(["inboxes", "agents"]);
});
