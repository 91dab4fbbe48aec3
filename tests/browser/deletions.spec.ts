import { expect, test } from "../support/browser-fixtures";
import { fieldsOf, formOf, post, textOf } from "../support/forms";
import { call } from "../support/http";
import { randomText } from "../support/keys";
import { cookieOf, makePerson, openSession } from "../support/people";
import { inboxEvent, message, schedule, task, webhookEvent } from "../support/resources";
import { rowsOf } from "../support/rows";

test("A person creates and sees an organization", async ({ page, db, person, organization }) => {
  await page.goto("/settings?tab=you");
  await page.getByLabel("New organization").fill(" Second\u00a0team ");
  await page.getByRole("button", { name: "Create organization" }).click();
  await expect(page).toHaveURL("/dashboard");
  await expect(page.getByRole("button", { name: "Second team" })).toBeVisible();
  const { rows } = await db.query(
    "SELECT name, role FROM members JOIN organizations ON id = organization_id WHERE user_id = $1 AND id <> $2",
    [person.id, organization.id],
  );
  expect(rows).toEqual([{ name: "Second\u00a0team", role: "owner" }]);
  const log = await page.request.get("/keys?tab=log");
  expect(textOf(await log.text())).toContain("created the organization");
});

test("Deleting an organization lists and counts what goes, needs its name, and ends keys and members at once", async ({
  page,
  api,
  baseUrl,
  db,
  key,
  organization,
  otherOrganization,
  own,
}) => {
  for (const make of [task, webhookEvent, inboxEvent, message, schedule]) {
    await make({ api, db, key });
  }
  await own.create("tasks", { name: "Another" });
  const kept = await api("POST", "/api/tasks", {
    key: otherOrganization.key,
    body: { name: "Kept" },
  });
  const member = await makePerson(db, organization.id, "member");
  const headers = { cookie: await cookieOf(db, member.id) };
  const asMember = async () => (await call(baseUrl, "GET", "/tasks", { headers })).status;
  expect(await asMember()).toBe(200);

  await page.goto("/settings");
  await page.getByRole("link", { name: "Delete organization" }).click();
  const goes = page.getByRole("region", { name: "What is deleted" });
  for (const counted of ["2 tasks", "1 webhook endpoint", "1 captured request", "1 other member"]) {
    await expect(goes).toContainText(counted);
  }
  await page.getByRole("button", { name: "Delete organization" }).click();
  const dialog = page.getByRole("alertdialog", { name: "Delete this organization?" });
  const name = dialog.getByLabel(`Type Test ${organization.id} to confirm`);
  await name.fill("something else");
  await dialog.getByRole("button", { name: "Delete organization" }).click();
  await expect(dialog.locator("input:invalid")).toBeFocused();
  expect((await api("GET", "/api/tasks", { key })).status).toBe(200);
  await name.fill(`Test ${organization.id}`);
  await dialog.getByRole("button", { name: "Delete organization" }).click();
  await expect(page).toHaveURL("/sign-in");

  expect((await api("GET", "/api/tasks", { key })).status).toBe(401);
  expect((await api("GET", "/api/tasks", { key: organization.readKey })).status).toBe(401);
  expect(await asMember()).toBe(307);
  const left = `SELECT id FROM tasks WHERE organization_id = $1 UNION ALL
    SELECT id FROM webhook_endpoints WHERE organization_id = $1 UNION ALL
    SELECT id FROM inboxes WHERE organization_id = $1 UNION ALL
    SELECT id FROM api_keys WHERE organization_id = $1`;
  // They are removed in the background.
  await expect.poll(async () => (await db.query(left, [organization.id])).rows).toEqual([]);
  const path = `/api/tasks/${kept.body.id}`;
  expect((await api("GET", path, { key: otherOrganization.key })).status).toBe(200);
});

test("Only an owner can delete an organization, and nobody that of others", async ({
  db,
  baseUrl,
  organization,
  otherOrganization,
}) => {
  const owner = await makePerson(db, organization.id);
  const member = await makePerson(db, organization.id, "member");
  const stranger = await makePerson(db, otherOrganization.id);
  const path = "/settings/delete-organization";
  // The owner's form, sent with another session, which says that it is its own.
  const { fields } = await fieldsOf(baseUrl, path, await openSession(db, owner.id), "typed");
  const send = async (personId: string, organizationId: string) => {
    const headers = { cookie: await cookieOf(db, personId), origin: baseUrl };
    const typed = { owner: `${personId} ${organizationId}`, typed: `Test ${organization.id}` };
    return (await post(baseUrl, path, { ...fields, ...typed }, headers)).body;
  };
  expect(await send(member.id, organization.id)).toContain("Only an owner");
  expect(await send(stranger.id, otherOrganization.id)).toContain("exactly as it is shown");
  expect(await send(stranger.id, organization.id)).toContain("This page belongs to another");
  const { rows } = await db.query("SELECT id FROM deleted_organizations WHERE id = $1", [
    organization.id,
  ]);
  expect(rows).toEqual([]);
});

test("Deleting an account deletes the organizations that have no other member", async ({
  page,
  api,
  db,
  baseUrl,
  key,
  person,
  organization,
  otherOrganization,
  own,
}) => {
  await own.create("tasks", { name: "Goes" });
  await db.query("INSERT INTO members (organization_id, user_id, role) VALUES ($1, $2, 'owner')", [
    otherOrganization.id,
    person.id,
  ]);
  const other = await makePerson(db, otherOrganization.id, "member");
  await db.query(
    `WITH asked AS (
       INSERT INTO one_time_codes (id, purpose, subject, email, mac, expires_at)
       VALUES ('sgn_' || $2, 'sign-in', 'x', $2, '', 0)
     ), elsewhere AS (
       INSERT INTO organizations (id, name) VALUES ('org_' || $2, $2), (replace($3, 'usr', 'org'), $2)
     ), registered AS (
       INSERT INTO agent_registrations
         (id, type, requested_credential_type, login_hint, asserted_email, organization_id, claimed_at)
       VALUES ('reg_1' || $2, 'service_auth', 'api_key', $2, NULL, NULL, NULL),
              ('reg_2' || $2, 'service_auth', 'api_key', $2, NULL, $1, 1),
              ('reg_3' || $2, 'service_auth', 'api_key', $2, NULL, 'org_' || $2, 1),
              ('reg_4' || $2, 'agent-provider', 'api_key', NULL, $2, 'org_' || $2, NULL)
     ), invited AS (
       INSERT INTO invitations (id, organization_id, email, expires_at)
       VALUES ('inv_' || $2, 'org_' || $2, $2, unix_now() + 600)
     )
     INSERT INTO audit_events (id, organization_id, actor, action, data)
     VALUES ('evt_' || $2, $1, 'usr_x', 'member.invited', jsonb_build_object('email', $2::text))`,
    [otherOrganization.id, person.email, person.id],
  );
  await db.query(
    `INSERT INTO members (organization_id, user_id, role)
     VALUES (replace($1, 'usr', 'org'), $2, 'owner')`,
    [person.id, other.id],
  );
  await page.goto("/settings/delete-account");
  const first = page.getByRole("region", { name: "Before you can delete your account" });
  await expect(first).toContainText(`Test ${otherOrganization.id}`);
  await expect(page.getByRole("button", { name: "Delete account" })).toHaveCount(0);
  await first.getByRole("button", { name: /^Open the members of/ }).click();
  await expect(page).toHaveURL("/settings");
  const row = page.getByRole("listitem").filter({ hasText: other.email });
  await row.getByRole("button", { name: "Make owner" }).click();
  await expect(row).toContainText("owner, joined");

  // A form without scripts cannot skip the check either.
  await db.query("UPDATE members SET role = 'member' WHERE user_id = $1", [other.id]);
  const cookie = await cookieOf(db, person.id);
  await db.query("UPDATE members SET role = 'owner' WHERE user_id = $1", [other.id]);
  const press = await formOf(baseUrl, "/settings/delete-account", cookie, "typed");
  await db.query("UPDATE members SET role = 'member' WHERE user_id = $1", [other.id]);
  expect((await press({ typed: person.email })).body).toContain("You are the only owner of");
  await db.query("UPDATE members SET role = 'owner' WHERE user_id = $1", [other.id]);

  await db.query("UPDATE organizations SET name = $1 WHERE id = $2", [
    person.email,
    otherOrganization.id,
  ]);
  await page.goto("/settings/delete-account");
  const gone = page.getByRole("region", { name: `Test ${organization.id} will be deleted` });
  await expect(gone).toContainText("1 task");
  await expect(page.getByRole("region", { name: "You leave" })).toContainText(person.email);
  await page.getByRole("button", { name: "Delete account" }).click();
  const dialog = page.getByRole("alertdialog", { name: "Delete your account?" });
  await dialog.getByLabel(`Type ${person.email} to confirm`).fill(person.email);
  await dialog.getByRole("button", { name: "Delete account" }).click();
  await expect(page).toHaveURL("/");
  expect((await api("GET", "/api/tasks", { key })).status).toBe(401);
  expect((await api("GET", "/api/tasks", { key: otherOrganization.key })).status).toBe(200);
  const { rows } = await db.query(
    `SELECT id FROM users WHERE id = $1 UNION ALL SELECT user_id FROM members WHERE user_id = $1
     UNION ALL SELECT id FROM sessions WHERE user_id = $1
     UNION ALL SELECT id FROM one_time_codes AS one WHERE one::text LIKE '%' || $2 || '%'
     UNION ALL SELECT 'hint' FROM agent_registrations WHERE $2 IN (login_hint, asserted_email)
     UNION ALL SELECT 'invitation' FROM invitations WHERE email = $2
     UNION ALL SELECT id FROM organizations WHERE name = $2
     UNION ALL SELECT 'log' FROM audit_events WHERE data::text LIKE '%' || $2 || '%'`,
    [person.id, person.email],
  );
  // An operator made it: `create-key` finds it by its name.
  expect(rows).toEqual([{ id: `org_${person.email}` }]);
  const agents = await db.query(
    "SELECT revoked_at IS NOT NULL AS revoked FROM agent_registrations WHERE id LIKE 'reg__' || $1 ORDER BY id",
    [person.email],
  );
  // The first one asked for the address. The others work on, for those who stay.
  expect(agents.rows).toEqual([true, false, false, false].map((revoked) => ({ revoked })));
});

test("Two owners who delete their accounts at once leave an owner", async ({
  db,
  baseUrl,
  organization,
}) => {
  const owners = await Promise.all([1, 2].map(() => makePerson(db, organization.id)));
  const member = await makePerson(db, organization.id, "member");
  const forms = await Promise.all(
    owners.map(async ({ id, email }) => {
      const cookie = await cookieOf(db, id);
      const press = await formOf(baseUrl, "/settings/delete-account", cookie, "typed");
      return () => press({ typed: email });
    }),
  );
  await Promise.all(forms.map((send) => send()));
  const where = { organization_id: organization.id };
  const rows = await rowsOf(db).member.findMany({ where });
  expect(rows.map(({ role }) => role).sort()).toEqual(["member", "owner"]);
  expect(rows.map(({ user_id }) => user_id)).toContain(member.id);
});

test("A member cannot invite an owner, and an owner's invitation gives the role only while they own", async ({
  baseUrl,
  db,
  mailingServer,
  organization,
  otherOrganization,
}) => {
  const { baseUrl: mailing } = mailingServer;
  const owner = await makePerson(db, organization.id);
  const member = await makePerson(db, organization.id, "member");
  const email = `${randomText(12).toLowerCase()}@example.com`;
  const inviteAs = async (id: string) =>
    formOf(mailing, "/settings", await cookieOf(db, id), "email");
  const refused = await (await inviteAs(member.id))({ email, role: "owner" });
  expect(refused.body).toContain("Only an owner");
  const role = async () => (await rowsOf(db).invitation.findFirst({ where: { email } }))?.role;
  expect(await role()).toBeUndefined();

  await (await inviteAs(owner.id))({ email, role: "owner" });
  expect(await role()).toBe("owner");
  // Inviting again as a member lowers the role: it never renews an owner's invitation.
  await (await inviteAs(member.id))({ email });
  expect(await role()).toBe("member");

  for (const [inviter, expected] of [
    ["owner", "owner"],
    ["member", "member"],
  ]) {
    const guest = await makePerson(db, otherOrganization.id);
    await (await inviteAs(owner.id))({ email: guest.email, role: "owner" });
    await db.query("UPDATE members SET role = $2 WHERE user_id = $1", [owner.id, inviter]);
    const join = await formOf(baseUrl, "/settings", await cookieOf(db, guest.id), "answer");
    await join({ answer: "join" });
    const { rows } = await db.query(
      "SELECT role FROM members WHERE user_id = $1 AND organization_id = $2",
      [guest.id, organization.id],
    );
    expect(rows).toEqual([{ role: expected }]);
    await db.query("UPDATE members SET role = 'owner' WHERE user_id = $1", [owner.id]);
  }
});
