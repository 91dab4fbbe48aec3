import type { Pool } from "pg";
import { expect, test } from "../support/browser-fixtures";
import { formOf, textOf } from "../support/forms";
import { call } from "../support/http";
import { cookieOf } from "../support/people";
import { rowsOf } from "../support/rows";

test("The organization menu works with arrows, letters and Enter", async ({
  page,
  db,
  person,
  organization,
  otherOrganization,
}) => {
  await join(db, otherOrganization.id, person.id);
  await nameThem(db, [organization.id, "Northwind"], [otherOrganization.id, "Zebra"]);
  await page.goto("/tasks");
  // A long address does not widen it.
  const rail = page.getByRole("navigation", { name: "Dashboard" });
  expect(await rail.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
  const button = page.getByRole("button", { name: "Northwind" });
  await button.focus();
  await page.keyboard.press("Enter");
  const item = (name: string) => page.getByRole("menuitemradio", { name });
  await expect(item("Northwind")).toBeChecked();
  await expect(item("Zebra")).not.toBeChecked();
  await page.keyboard.press("ArrowDown");
  await expect(item("Northwind")).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(item("Zebra")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("menu")).toHaveCount(0);
  await expect(button).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(item("Northwind")).toBeFocused();
  await page.keyboard.press("z");
  await expect(item("Zebra")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/dashboard");
});

test("After a switch the tab has nothing of the other organization", async ({
  page,
  db,
  person,
  organization,
  otherOrganization,
  own,
}) => {
  await join(db, otherOrganization.id, person.id);
  await nameThem(db, [organization.id, "Northwind"], [otherOrganization.id, "Zebra"]);
  const questions: string[] = [];
  page.on("dialog", (dialog) => {
    questions.push(dialog.message());
    return dialog.accept();
  });
  const { id } = await own.create("tasks", { name: "Buy Zebra" });
  await page.goto(`/tasks/${id}`);
  await page.waitForFunction(() => sessionStorage.getItem("recent")?.includes("Buy Zebra"));
  await page.goto("/tasks?new=1");
  await page.getByLabel("Name", { exact: true }).fill("Ask the lawyers");
  await page.getByRole("button", { name: "Northwind" }).click();
  await page.getByRole("menuitemradio", { name: "Zebra" }).click();
  await expect(page).toHaveURL("/dashboard");
  expect(questions).toContain("Leave without saving what you typed?");
  await page.goto("/tasks?new=1");
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("");
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("group", { name: "Pages" })).toBeVisible();
  await expect(page.getByRole("group", { name: "Recent" })).toHaveCount(0);
});

test("Organizations can be switched in the settings without scripts", async ({
  baseUrl,
  db,
  person,
  organization,
  otherOrganization,
}) => {
  await join(db, otherOrganization.id, person.id);
  await nameThem(db, [organization.id, "Northwind"], [otherOrganization.id, "Zebra"]);
  const cookie = await cookieOf(db, person.id);
  const change = await formOf(baseUrl, "/settings?tab=you", cookie, /Switch to Zebra/);
  expect((await change({})).status).toBe(303);
  const { text } = await call(baseUrl, "GET", "/settings", { headers: { cookie } });
  expect(textOf(text)).toContain(otherOrganization.id);
  expect(textOf(text)).not.toContain(organization.id);
});

test("A form or a selection of a page that was opened before a switch acts for no other organization, and the frame follows the switch", async ({
  page,
  own,
  baseUrl,
  db,
  person,
  organization,
  otherOrganization,
}) => {
  await join(db, otherOrganization.id, person.id, "owner");
  await nameThem(db, [organization.id, "Northwind"], [otherOrganization.id, "Zebra"]);
  const choose = (id: string) =>
    db.query("UPDATE sessions SET organization_id = $1 WHERE user_id = $2", [id, person.id]);
  const cookie = await cookieOf(db, person.id);
  const createKey = await formOf(baseUrl, "/keys?new=1", cookie, "scopes");
  const rename = await formOf(baseUrl, "/settings", cookie, "name");
  await own.create("tasks", { name: "Card" });
  await page.goto("/tasks?new=1");
  const name = page.getByLabel("Name", { exact: true });
  await name.fill("Stale");
  await page.getByRole("checkbox", { name: "Select Card" }).check();
  await choose(otherOrganization.id);
  const refusal = "This page belongs to another organization";
  const sent = { name: "Stale", scopes: "api.read", days: "" };
  for (const press of [createKey, rename]) expect((await press(sent)).body).toContain(refusal);
  await page.getByRole("button", { name: "Create task" }).click();
  const alert = page.getByRole("main").getByRole("alert");
  await expect(alert).toContainText(refusal);
  await expect(name).toHaveValue("Stale");
  const bar = page.getByRole("region", { name: "Selected tasks" });
  await bar.getByRole("button", { name: "Priority" }).click();
  await page.getByRole("listbox").getByRole("option", { name: "high" }).click();
  await expect(page.getByLabel("Notifications")).toContainText(refusal);
  const { rows } = await db.query(
    `SELECT name FROM api_keys WHERE name = 'Stale' AND organization_id = ANY ($1)
     UNION ALL SELECT name FROM tasks WHERE name = 'Stale' AND organization_id = ANY ($1)
     UNION ALL SELECT name FROM organizations WHERE name = 'Stale' AND id = ANY ($1)`,
    [[organization.id, otherOrganization.id]],
  );
  expect(rows).toEqual([]);

  page.on("dialog", (dialog) => dialog.accept());
  await alert.getByRole("button", { name: "Reload" }).click();
  const rail = page.getByRole("navigation", { name: "Dashboard" });
  await expect(rail.getByRole("button", { name: "Zebra" })).toBeVisible();
  await expect(name).toHaveValue("");
  await name.fill("For Zebra");
  await page.getByRole("button", { name: "Create task" }).click();
  await expect(page.getByRole("heading", { name: "For Zebra" })).toBeVisible();

  // A soft navigation keeps the frame, until the page's first poll.
  await page.goto("/tasks?new=1");
  await choose(organization.id);
  await rail.getByRole("link", { name: "Overview" }).click();
  await expect(page.getByRole("heading", { name: "Overview" })).toBeVisible();
  await expect(rail.getByRole("button", { name: "Northwind" })).toBeVisible();
});

test("Pages do not contain the ID of their session", async ({ context, db, person }) => {
  const session = await rowsOf(db).session.findFirstOrThrow({ where: { user_id: person.id } });
  const response = await context.request.get("/tasks");
  expect(await response.text()).not.toContain(session.id);
});

/** Makes a person a member after they were made one elsewhere: the first organization is shown. */
async function join(db: Pool, organizationId: string, userId: string, role = "member") {
  await db.query(
    `INSERT INTO members (organization_id, user_id, role, created_at)
     VALUES ($1, $2, $3, unix_now() + 60)`,
    [organizationId, userId, role],
  );
}

async function nameThem(db: Pool, ...names: [string, string][]) {
  for (const [id, name] of names)
    await db.query("UPDATE organizations SET name = $2 WHERE id = $1", [id, name]);
}
