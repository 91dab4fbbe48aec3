import { expect, test } from "../support/browser-fixtures";
import { randomText } from "../support/keys";
import { makePerson, openSession, signIn } from "../support/people";

test("A key is made in the page, works, and is refused once it is revoked there", async ({
  page,
  api,
  person: _person,
  organization,
  baseUrl,
}) => {
  await page.goto(`${baseUrl}/keys`);
  await page.getByRole("link", { name: "New key" }).click();
  await page.getByLabel("Name").fill("Deploy bot");
  await page.getByLabel("Expires").selectOption("in 30 days");
  await page.getByRole("button", { name: "Create key" }).click();
  const key =
    (await page.getByRole("region", { name: "New key" }).locator("code").first().textContent()) ??
    "";
  const task = await api("POST", "/api/tasks", { key, body: { name: "With the new key" } });
  expect(task.body.organization_id).toBe(organization.id);

  await page.getByRole("link", { name: "I have stored it" }).click();
  const row = page.getByRole("row", { name: /Deploy bot/ });
  await expect(row).toContainText(`${key.slice(0, 13)}…${key.slice(-4)}`);
  expect(await page.content()).not.toContain(key);
  await row.getByRole("button", { name: "Revoke" }).click();
  await page.getByRole("button", { name: "Revoke key" }).click();
  await expect(row).toContainText("revoked");
  expect((await api("GET", "/api/tasks", { key })).status).toBe(401);
  await expect(page.getByText("Key revoked")).toBeVisible();
});

test("A session of a key makes no keys, whatever form it sends", async ({
  page,
  db,
  organization,
  baseUrl,
}) => {
  await page.goto(`${baseUrl}/sign-in?next=/keys`);
  await page.getByText("Sign in with an API key").click();
  await page.getByLabel("API key").fill(organization.key);
  await page.getByRole("button", { name: "Sign in with the key" }).click();
  await expect(page.getByRole("heading", { name: "Keys & agents" })).toBeVisible();
  await expect(page.getByRole("link", { name: "New key" })).toHaveCount(0);
  await page.goto(`${baseUrl}/keys?new=1`);
  await expect(page.getByRole("button", { name: "Create key" })).toHaveCount(0);
  const { rows } = await db.query("SELECT id FROM api_keys WHERE organization_id = $1", [
    organization.id,
  ]);
  expect(rows).toHaveLength(2);
});

test("Somebody who is invited by mail joins, and both organizations are theirs to switch", async ({
  browser,
  mailbox,
  mailingServer: { baseUrl },
  db,
  organization,
  otherOrganization,
}) => {
  const owner = await makePerson(db, organization.id);
  const guest = await makePerson(db, otherOrganization.id);
  const ownersBrowser = await browser.newContext();
  await signIn(ownersBrowser, baseUrl, await openSession(db, owner.id));
  const inviting = await ownersBrowser.newPage();
  await inviting.goto(`${baseUrl}/settings`);
  await inviting.getByLabel("Invite by e-mail").fill(guest.email.toUpperCase());
  await inviting.getByRole("button", { name: "Send invitation" }).click();
  await expect(inviting.getByRole("main")).toContainText(guest.email);
  await expect.poll(() => mailbox.mailsTo(guest.email).length).toBe(1);

  const guestsBrowser = await browser.newContext();
  await signIn(guestsBrowser, baseUrl, await openSession(db, guest.id));
  const page = await guestsBrowser.newPage();
  await page.goto(`${baseUrl}/settings`);
  await page.getByRole("button", { name: "Join" }).click();
  await expect(page.getByRole("button", { name: "Join" })).toHaveCount(0);
  await page.getByRole("button", { name: `Test ${otherOrganization.id}` }).click();
  await page.getByRole("button", { name: `Test ${organization.id}` }).click();
  await expect(page).toHaveURL(`${baseUrl}/dashboard`);
  await page.goto(`${baseUrl}/settings`);
  await expect(page.getByRole("main")).toContainText(organization.id);
  await expect(page.getByRole("button", { name: "Rename" })).toHaveCount(0);
  await ownersBrowser.close();
  await guestsBrowser.close();
});

test("An invitation is for the one address that has proven to be theirs", async ({
  page,
  db,
  person: _person,
  otherOrganization,
  baseUrl,
}) => {
  await db.query(
    "INSERT INTO invitations (id, organization_id, email, expires_at) VALUES ($1, $2, $3, unix_now() + 999)",
    [`inv_${randomText(25)}`, otherOrganization.id, "somebody-else@example.com"],
  );
  await page.goto(`${baseUrl}/settings`);
  await expect(page.getByRole("heading", { name: "Members" })).toBeVisible();
  await expect(page.getByText("You are invited")).toHaveCount(0);
});

test("The theme that was chosen is in the first HTML of the next page", async ({
  page,
  person: _person,
  baseUrl,
}) => {
  await page.goto(`${baseUrl}/tasks`);
  await expect(page.locator("html")).not.toHaveAttribute("data-theme", /./);
  await page.getByRole("button", { name: "Theme" }).click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "light");
  await page.getByRole("button", { name: "Theme" }).click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  const answer = await page.goto(`${baseUrl}/settings`);
  expect(await answer?.text()).toContain('<html lang="en" data-theme="dark"');
});
