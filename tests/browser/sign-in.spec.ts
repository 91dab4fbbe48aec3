import type { Page } from "playwright/test";
import { kinds } from "@/lib/resources/kinds";
import { makeKey } from "../support/accounts";
import { expect, test } from "../support/browser-fixtures";
import { fieldsOf, post } from "../support/forms";
import { call } from "../support/http";
import { randomText, sha256 } from "../support/keys";
import { wrongCode } from "../support/mailbox";
import { signInWithKey } from "../support/pages";
import { cookieOf, makePerson, openSession } from "../support/people";

test("A mailed code signs in, creates an organization and returns to the page", async ({
  visitor: page,
  mailbox,
  mailingServer: { baseUrl },
}) => {
  const email = newAddress();
  await page.goto(`${baseUrl}/tasks?priority=high`);
  await expect(page).toHaveURL(/\/sign-in\?next=%2Ftasks%3Fpriority%3Dhigh$/);
  await page.getByLabel("Email address").fill(email);
  await page.getByRole("button", { name: "Send the code" }).click();
  const code = await mailbox.code(email);

  await page.getByLabel("Code").fill(wrongCode(code));
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "code" })).toHaveText(
    /The code is incorrect/,
  );

  await page.getByLabel("Code").fill(code);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL(`${baseUrl}/tasks?priority=high`);
  await expect(page.getByRole("button", { name: email, exact: true })).toBeVisible();
  // The browser is known from now on: strangers in its network cannot use up its codes.
  const known = (await page.context().cookies()).find(({ name }) => name === "known-browser");
  expect(known).toMatchObject({ path: "/sign-in", httpOnly: true, sameSite: "Lax" });
});

test("Each session names its browser and system", async ({
  browser,
  page,
  db,
  person,
  mailbox,
  mailingServer: { baseUrl },
}) => {
  const sessions = page.getByRole("region", { name: "Sessions" }).getByRole("listitem");
  const hostile = `<img src=x>${"x".repeat(3000)}`;
  const userAgents = [
    "Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1",
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0",
  ];
  for (const userAgent of userAgents) {
    const token = sha256(await openSession(db, person.id));
    await db.query("UPDATE sessions SET user_agent = $2 WHERE digest = $1", [token, userAgent]);
  }
  const context = await browser.newContext({ userAgent: hostile, javaScriptEnabled: false });
  const other = await context.newPage();
  await other.goto(`${baseUrl}/sign-in?next=/settings%3Ftab%3Dyou`);
  await other.getByLabel("Email address").fill(person.email);
  await other.getByRole("button", { name: "Send the code" }).click();
  await other.getByLabel("Code").fill(await mailbox.code(person.email));
  await other.getByRole("button", { name: "Sign in" }).click();
  await expect(other).toHaveURL(/\/settings\?tab=you$/);
  await context.close();
  await page.goto(`${baseUrl}/settings?tab=you`);
  await expect(sessions.filter({ hasText: /^Firefox on Linux, signed in/ })).toHaveCount(1);
  await expect(sessions.filter({ hasText: /^Safari on iPhone/ })).toHaveCount(1);
  await expect(sessions.filter({ hasText: /^Edge on Windows/ })).toHaveCount(1);
  await expect(sessions.filter({ hasText: /^<img src=x>x{40,60}…, signed in/ })).toHaveCount(1);
  await expect(sessions.filter({ hasText: /^Unknown device \(this one\)/ })).toHaveCount(1);
  const { rows } = await db.query(
    "SELECT max(length(user_agent)) AS longest FROM sessions WHERE user_id = $1",
    [person.id],
  );
  expect(rows).toEqual([{ longest: 500 }]);
});

test("The session cookie is HttpOnly and SameSite, and is removed on sign-out", async ({
  visitor: page,
  context,
  key,
}) => {
  await page.goto("/sign-in");
  await enterKey(page, key);
  await page.waitForURL("/dashboard");
  const [cookie] = (await context.cookies()).filter(({ name }) => name === "session");
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Lax", path: "/", secure: false });
  expect(await page.evaluate(() => document.cookie)).not.toContain("session");

  await page.getByRole("button", { name: "Account" }).click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page).toHaveURL(/\/sign-in$/);
  expect((await context.cookies()).map(({ name }) => name)).not.toContain("session");
  if (!cookie) throw new Error("There was no session.");
  await context.addCookies([cookie]);
  await page.goto("/tasks");
  await expect(page).toHaveURL(/\/sign-in\?next=%2Ftasks$/);
});

test("What a tab keeps is there after another sign-in, but not for visitors or anybody else", async ({
  visitor: page,
  context,
  signInAs,
  api,
  db,
  organization,
  otherOrganization,
  own,
}) => {
  page.on("dialog", (dialog) => dialog.accept());
  const { id } = await own.create("tasks", { name: "Secret plan" });
  const open = (await api("POST", "/api/tasks", { body: { name: "Public" } })).body;
  const person = await makePerson(db, organization.id);
  const name = page.getByLabel("Name", { exact: true });
  const recent = page.getByRole("group", { name: "Recent" });
  await signInAs(context, person);
  await page.goto(`/tasks/${id}`);
  await page.waitForFunction(() => sessionStorage.getItem("recent")?.includes("Secret plan"));
  await page.goto("/tasks?new=1");
  await name.fill("Draft");

  await context.clearCookies();
  await page.goto(`/tasks/${open.id}`);
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("group", { name: "Pages" })).toBeVisible();
  await expect(recent).toHaveCount(0);

  await signInAs(context, person);
  await page.goto("/dashboard");
  await page.goto("/tasks?new=1");
  await expect(name).toHaveValue("Draft");
  await page.keyboard.press("Control+k");
  await expect(recent).toContainText("Secret plan");

  await context.clearCookies();
  await signInAs(context, await makePerson(db, otherOrganization.id));
  await page.goto("/dashboard");
  await page.goto("/tasks?new=1");
  await expect(name).toHaveValue("");
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("group", { name: "Pages" })).toBeVisible();
  await expect(recent).toHaveCount(0);
});

test("Signing in never leads to another site", async ({ visitor: page, key, baseUrl }) => {
  const elsewhere = [
    "//evil.example/",
    "https://evil.example/",
    "/\\evil.example",
    "/.//evil.example",
    "/%09/evil.example",
    "javascript:alert(1)",
  ];
  for (const next of elsewhere) {
    const path = `/sign-in?next=${encodeURIComponent(next)}`;
    const { fields } = await fieldsOf(baseUrl, path, undefined, "key");
    const { headers } = await post(baseUrl, path, { ...fields, key }, { origin: baseUrl });
    expect(String(headers["set-cookie"]), next).toContain("session=");
    expect(new URL(headers.location ?? "", baseUrl).origin, next).toBe(baseUrl);
    // The field can be forged, too.
    const forged = await post(baseUrl, path, { ...fields, next, key }, { origin: baseUrl });
    expect(new URL(forged.headers.location ?? "", baseUrl).origin, next).toBe(baseUrl);
  }
  await page.goto(`/sign-in?next=${encodeURIComponent("/\\evil.example")}`);
  await enterKey(page, key);
  await expect(page).not.toHaveURL(/\/sign-in/);
  expect(new URL(page.url()).origin).toBe(baseUrl);
});

test("A key's session ends with the key", async ({ visitor: page, baseUrl, db, organization }) => {
  const key = await makeKey(db, organization.id);
  await signInWithKey(page, baseUrl, key);
  expect((await page.request.get("/tasks")).url()).toBe(`${baseUrl}/tasks`);
  await db.query(
    "UPDATE api_keys SET revoked_at = unix_now() WHERE last_four = $1 AND organization_id = $2",
    [key.slice(-4), organization.id],
  );
  await page.goto("/tasks");
  await expect(page).toHaveURL(/\/sign-in\?next=%2Ftasks$/);
});

test("A read-only key's session cannot change anything", async ({
  visitor: page,
  baseUrl,
  db,
  organization,
  own,
}) => {
  const { id } = await own.create("tasks", { name: "Only to read" });
  await signInWithKey(page, baseUrl, organization.readKey);
  await page.goto(`/tasks/${id}`);
  await expect(page.getByRole("heading", { name: "Only to read" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Delete" })).toHaveCount(0);
  const headers = { cookie: await cookieOf(db, (await makePerson(db, organization.id)).id) };
  for (const { name: list } of kinds) {
    const offersNew = /<a [^>]*href="[^"]*new=1/;
    expect((await call(baseUrl, "GET", `/${list}`, { headers })).text, list).toMatch(offersNew);
    expect(await (await page.request.get(`/${list}`)).text(), list).not.toMatch(offersNew);
  }

  await page.goto("/tasks?new=1");
  await page.getByLabel("Name").fill("Not allowed");
  await page.getByRole("button", { name: "Create task" }).click();
  await expect(page.getByRole("main").getByRole("alert")).toHaveText(/does not have api.write/);
});

test("An invalid key cannot sign in", async ({ visitor: page }) => {
  await page.goto("/sign-in");
  await enterKey(page, `svc_live_${randomText(38)}`);
  await expect(page.getByRole("main").getByRole("alert")).toHaveText(/invalid, expired or revoked/);
});

async function enterKey(page: Page, key: string) {
  await page.getByText("Sign in with an API key").click();
  await page.getByLabel("API key").fill(key);
  await page.getByRole("button", { name: "Sign in with the key" }).click();
}

function newAddress() {
  return `${randomText(12).toLowerCase()}@example.com`;
}
