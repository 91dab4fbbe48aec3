import { makeAccessToken } from "../support/accounts";
import { expect, test } from "../support/browser-fixtures";
import { formOf, keySession, textOf, unescaped } from "../support/forms";
import { call } from "../support/http";
import { randomText, sha256 } from "../support/keys";
import { cookieOf, makePerson, openSession } from "../support/people";

test("A key made in the page works until revoked there", async ({ page, api, organization }) => {
  await page.goto("/keys");
  await page.getByRole("link", { name: "New key" }).click();
  await page.getByLabel("Name").fill("Deploy bot");
  await page.getByLabel("Expires").selectOption("in 30 days");
  await page.getByRole("button", { name: "Create key" }).click();
  const shown = page.getByRole("region", { name: "New key" }).locator("code").first();
  const key = String(await shown.textContent());
  await expect(page.getByText("Your new key.")).toBeFocused();
  const task = await api("POST", "/api/tasks", { key, body: { name: "With the new key" } });
  expect(task.body.organization_id).toBe(organization.id);

  const row = page.getByRole("row", { name: /Deploy bot/ });
  await expect(row).toContainText(`${key.slice(0, 13)}…${key.slice(-4)}`);
  await page.getByRole("link", { name: "Done" }).click();
  await expect(shown).toHaveCount(0);
  expect(await page.content()).not.toContain(key);
  await row.getByRole("button", { name: "Revoke" }).click();
  await page.getByRole("button", { name: "Revoke key" }).click();
  await expect(row).toContainText("revoked");
  expect((await api("GET", "/api/tasks", { key })).status).toBe(401);
  await page.getByRole("link", { name: "Audit log" }).click();
  await expect(page.getByRole("main")).toContainText("revoked the key Deploy bot");
});

test("A key's session cannot create keys, and sees the log only if the key may write", async ({
  baseUrl,
  organization,
}) => {
  for (const [key, mayWrite] of [
    [organization.readKey, false],
    [organization.key, true],
  ] as const) {
    const headers = { cookie: await keySession(baseUrl, key) };
    const read = async (path: string) => (await call(baseUrl, "GET", path, { headers })).text;
    const keys = await read("/keys");
    expect(keys).toContain("Keys &amp; agents");
    expect(keys.includes("Audit log")).toBe(mayWrite);
    expect(keys).not.toContain("/keys?new=1");
    expect(await read("/keys?new=1")).not.toContain("Create key");
  }
});

test("A form sent twice in parallel creates one key, and both responses show it", async ({
  person,
  db,
  rows,
  organization,
  baseUrl,
}) => {
  const cookie = await cookieOf(db, person.id);
  const press = await formOf(baseUrl, "/keys?new=1", cookie, "scopes");
  const fields = { name: "Once", scopes: "api.read", days: "" };
  const responses = [...(await Promise.all([press(fields), press(fields)])), await press(fields)];
  const keys = responses.map(({ body }) => /svc_live_\w{38}/.exec(body)?.[0] ?? "none");
  expect(new Set(keys).size).toBe(1);
  expect(keys[0]).toMatch(/^svc_live_/);
  const where = { organization_id: organization.id, name: "Once" };
  expect(await rows.apiKey.count({ where })).toBe(1);
});

test("A double submit sends one invitation email, and resending sends another", async ({
  mailbox,
  mailingServer: { baseUrl },
  db,
  rows,
  organization,
}) => {
  const cookie = await cookieOf(db, (await makePerson(db, organization.id)).id);
  const email = `${randomText(12).toLowerCase()}@example.com`;
  const press = await formOf(baseUrl, "/settings", cookie, "email");
  await Promise.all([press({ email }), press({ email })]);
  await press({ email });
  expect(mailbox.mailsTo(email)).toHaveLength(1);

  const again = await formOf(baseUrl, "/settings", cookie, /Send again/);
  await again({});
  await expect.poll(() => mailbox.mailsTo(email).length).toBe(2);
  const withdraw = await formOf(baseUrl, "/settings", cookie, /Withdraw/);
  await withdraw({});
  expect(await rows.invitation.count({ where: { email } })).toBe(0);
});

test("A person sees their sessions and can end one or all", async ({
  page,
  db,
  person,
  otherOrganization,
}) => {
  const stranger = await openSession(db, (await makePerson(db, otherOrganization.id)).id);
  await openSession(db, person.id);
  await page.goto("/settings?tab=you");
  const sessions = page.getByRole("region", { name: "Sessions" });
  await expect(sessions.getByRole("listitem")).toHaveCount(2);
  await sessions.getByRole("button", { name: "End session" }).click();
  await expect(sessions.getByRole("listitem")).toHaveCount(1);
  await expect(sessions.getByRole("listitem")).toHaveText(/^Unknown device \(this one\)/);
  await openSession(db, person.id);
  await sessions.getByRole("button", { name: "End all sessions" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "End all sessions" }).click();
  await expect(page).toHaveURL("/sign-in");
  const left = "SELECT digest FROM sessions WHERE user_id = $1 OR digest = $2";
  expect((await db.query(left, [person.id, sha256(stranger)])).rows).toHaveLength(1);
});

test("An owner can change roles, but an organization keeps its last owner", async ({
  page,
  db,
  rows,
  person,
  organization,
}) => {
  const other = await makePerson(db, organization.id, "member");
  // Unanswered polls tell the page nothing, so its buttons and the refusal stay.
  await page.route("**/settings/live", () => {});
  await page.goto("/settings");
  const row = page.getByRole("listitem").filter({ hasText: other.email });
  await row.getByRole("button", { name: "Make owner" }).click();
  await expect(row).toContainText("owner, joined");
  await db.query("UPDATE members SET role = 'member' WHERE user_id = $1", [person.id]);
  await row.getByRole("button", { name: "Make member" }).click();
  await expect(row.getByRole("alert")).toHaveText(/Only an owner/);
  const where = { organization_id: organization.id, role: "owner" } as const;
  expect(await rows.member.findMany({ where })).toMatchObject([{ user_id: other.id }]);
});

test("The members are people; a removal says before what ends with it, disconnects their clients and logs it", async ({
  page,
  api,
  db,
  rows,
  organization,
}) => {
  const member = await makePerson(db, organization.id, "member");
  const key = await makeAccessToken(db, organization.id, "api", member.id);
  // As earlier versions made one for each agent.
  const agent = `usr_${randomText(25)}`;
  await rows.user.create({ data: { id: agent } });
  const data = { organization_id: organization.id, user_id: agent, role: "owner" } as const;
  await rows.member.create({ data });
  await page.goto("/settings");
  const members = page.getByRole("region", { name: "Members" });
  await expect(members.getByRole("listitem")).toHaveCount(2);
  await expect(members).not.toContainText(agent);
  const row = members.getByRole("listitem").filter({ hasText: member.email });
  await row.getByRole("button", { name: "Remove" }).click();
  const dialog = page.getByRole("alertdialog");
  await expect(dialog).toContainText("Keys that they created, agents that they claimed");
  await dialog.getByRole("button", { name: "Remove member" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(row).toHaveCount(0);
  expect((await api("GET", "/api/tasks", { key })).status).toBe(401);
  const log = textOf(await (await page.request.get("/keys?tab=log")).text());
  expect(log).toContain("disconnected the client Test client");
});

test("The log has pages, and says in sentences who did what", async ({
  context,
  db,
  person,
  organization: { id },
}) => {
  await db.query(
    `INSERT INTO audit_events (id, organization_id, actor, action, data)
     SELECT 'evt_' || lpad(n::text, 25, '0'), $1, $2, 'key.created',
            jsonb_build_object('name', '<b>Key ' || n || '</b>') FROM generate_series(1, 60) n`,
    [id, person.id],
  );
  const read = async (path: string) => await (await context.request.get(path)).text();
  const first = await read("/keys?tab=log");
  expect(textOf(first)).toContain("50 of 60");
  expect(textOf(first)).toContain(`${person.email} created the key <b>Key 60</b>`);
  const more = /href="([^"]+)"[^>]*>Load more</.exec(first)?.[1] ?? "";
  for (const [html, rows] of [
    [first, 50],
    [await read(unescaped(more)), 60],
  ] as const) {
    expect(new Set(textOf(html).match(/<b>Key \d+<\/b>/g)).size).toBe(rows);
  }
});

test("The keys have pages, live ones first, and a revocation says that it ends two", async ({
  page,
  api,
  db,
  organization: { id, key },
}) => {
  // Newer than the organization's two keys, and ended.
  await db.query(
    `INSERT INTO api_keys (id, organization_id, name, prefix, last_four, scopes, expires_at)
     SELECT 'key_z' || md5($1 || n), $1, 'Old ' || n, '', '', '{api.read}', 1 FROM generate_series(1, 60) n`,
    [id],
  );
  expect((await api("POST", "/api/me/key/rotate", { key })).status).toBe(200);
  await page.goto("/keys");
  const rows = page.getByRole("table").first().locator("tbody tr");
  await expect(page.getByText("3 live of 63")).toBeVisible();
  await expect(rows).toHaveCount(50);
  await expect(rows.nth(2)).toContainText("live");
  await expect(rows.nth(3)).toContainText("expired");
  const { rows: old } = await db.query<{ id: string }>(
    "SELECT id FROM api_keys WHERE organization_id = $1 AND name LIKE 'Old %' ORDER BY id DESC OFFSET 46 LIMIT 1",
    [id],
  );
  const rest = textOf(await (await page.request.get(`/keys?after=${old[0]?.id}`)).text());
  expect(rest).toContain(" 13 of 63 ");
  await rows.filter({ hasText: "rotated" }).getByRole("button", { name: "Revoke" }).click();
  await page.getByRole("button", { name: "Revoke 2 keys" }).click();
  await expect(page.getByText("1 live of 63")).toBeVisible();
});

test("An invited person joins", async ({
  page,
  openBrowser,
  mailbox,
  mailingServer: { baseUrl },
  db,
  rows,
  organization,
  otherOrganization,
}) => {
  const guest = await makePerson(db, otherOrganization.id);
  await page.goto(`${baseUrl}/settings`);
  await page.getByLabel("Invite by email").fill(guest.email.toUpperCase());
  await page.getByRole("button", { name: "Send invitation" }).click();
  await expect(page.getByRole("main")).toContainText(guest.email);
  await expect.poll(() => mailbox.mailsTo(guest.email).length).toBe(1);
  await expect(page.getByLabel("Invite by email")).toHaveValue("");

  const theirs = await openBrowser({}, guest);
  await theirs.goto(`${baseUrl}/settings`);
  await theirs.getByRole("button", { name: "Join" }).click();
  await expect(theirs.getByRole("button", { name: "Join" })).toHaveCount(0);
  const where = { organization_id: organization.id, user_id: guest.id };
  expect(await rows.member.findMany({ where })).toMatchObject([{ role: "member" }]);
});

test("A link to what another organization of the person has offers to switch, and one to a stranger's does not", async ({
  page,
  api,
  db,
  person,
  otherOrganization,
}) => {
  const body = { prompt: "Deploy version 2?", kind: "approve" };
  const { id } = (await api("POST", "/api/questions", { key: otherOrganization.key, body })).body;
  const path = `/questions/${id}`;
  expect((await page.request.get(path)).status()).toBe(404);
  await db.query(
    `INSERT INTO members (organization_id, user_id, role, created_at)
     VALUES ($1, $2, 'member', unix_now() + 60)`,
    [otherOrganization.id, person.id],
  );
  const name = `Test ${otherOrganization.id}`;
  await page.goto(path);
  await expect(page).toHaveURL(`/claim/${id}?next=${encodeURIComponent(path)}`);
  await expect(page.getByRole("main")).toContainText(`It belongs to ${name}.`);
  await expect(page.getByRole("main")).not.toContainText(body.prompt);
  await page.getByRole("button", { name: `Switch to ${name}` }).click();
  await expect(page).toHaveURL(path);
  await expect(page.getByRole("button", { name: "Approve" })).toBeVisible();
});

test("An invitation is valid only for its address", async ({
  context,
  person: _person,
  db,
  otherOrganization,
}) => {
  const inviter = await makePerson(db, otherOrganization.id);
  await db.query(
    `INSERT INTO invitations (id, organization_id, email, invited_by_user_id, expires_at)
     VALUES ($1, $2, 'somebody-else@example.com', $3, unix_now() + 999)`,
    [`inv_${randomText(25)}`, otherOrganization.id, inviter.id],
  );
  const settings = await (await context.request.get("/settings")).text();
  expect(settings).toContain("Members");
  expect(settings).not.toContain("You are invited");
});

test("Of many invitations the newest are shown, with a note that there are more", async ({
  context,
  person,
  db,
  otherOrganization,
}) => {
  const inviter = await makePerson(db, otherOrganization.id);
  const invite = (count: number) =>
    db.query(
      `WITH made AS (INSERT INTO organizations (id, name)
         SELECT 'org_' || $1::text || n, 'Stranger' FROM generate_series(1, $2::integer) n RETURNING id)
       INSERT INTO invitations (id, organization_id, email, invited_by_user_id, expires_at)
       SELECT 'inv_' || id, id, $3, $4, unix_now() + 999 FROM made`,
      [randomText(20), count, person.email, inviter.id],
    );
  const shown = async (path: string) => {
    const html = await (await context.request.get(path)).text();
    return { forms: html.match(/>Decline</g)?.length, hasMore: html.includes("older ones") };
  };
  await invite(50);
  for (const path of ["/settings", "/dashboard"]) {
    expect(await shown(path), path).toEqual({ forms: 50, hasMore: false });
  }
  await invite(1);
  for (const path of ["/settings", "/dashboard"]) {
    expect(await shown(path), path).toEqual({ forms: 50, hasMore: true });
  }
});

test("The chosen theme is in the initial HTML of the next page", async ({ page }) => {
  await page.goto("/tasks");
  await expect(page.locator("html")).not.toHaveAttribute("data-theme", /./);
  await page.getByRole("button", { name: "Account" }).click();
  const themes = page.getByRole("group", { name: "Theme" });
  await expect(themes.getByRole("button", { pressed: true })).toHaveText("System");
  await themes.getByRole("button", { name: "Dark" }).click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  const response = await page.request.get("/settings");
  expect(await response.text()).toMatch(/<html [^>]*data-theme="dark"/);
});
