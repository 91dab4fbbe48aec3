import type { Pool } from "pg";
import { expect, test } from "../support/browser-fixtures";
import { signInWithKey } from "../support/pages";
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
  await page.getByRole("button", { name: "Zebra" }).click();
  await expect(item("Zebra")).toBeChecked();
  await expect(item("Northwind")).not.toBeChecked();
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
  page.on("dialog", (dialog) => dialog.accept());
  const { id } = await own.create("tasks", { name: "Buy Zebra" });
  await page.goto(`/tasks/${id}`);
  await page.waitForFunction(() => sessionStorage.getItem("recent")?.includes("Buy Zebra"));
  await page.goto("/tasks?new=1");
  await page.getByLabel("Name", { exact: true }).fill("Ask the lawyers");
  await page.getByRole("button", { name: "Northwind" }).click();
  await page.getByRole("menuitemradio", { name: "Zebra" }).click();
  await expect(page).toHaveURL("/dashboard");
  await page.goto("/tasks?new=1");
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("");
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("group", { name: "Pages" })).toBeVisible();
  await expect(page.getByRole("group", { name: "Recent" })).toHaveCount(0);
});

test("Organizations can be switched in the settings without scripts", async ({
  openBrowser,
  db,
  person,
  organization,
  otherOrganization,
}) => {
  await join(db, otherOrganization.id, person.id);
  await nameThem(db, [organization.id, "Northwind"], [otherOrganization.id, "Zebra"]);
  const page = await openBrowser({ javaScriptEnabled: false }, person);
  await page.goto("/settings?tab=you");
  await page.getByRole("button", { name: "Switch to Zebra" }).click();
  await expect(page).toHaveURL("/dashboard");
  await page.goto("/settings");
  await expect(page.getByRole("main")).toContainText(otherOrganization.id);
  await page.getByRole("tab", { name: "You" }).click();
  await expect(page.getByRole("button", { name: "Switch to Northwind" })).toBeVisible();
});

test("A key's session has one organization, and its menu links to the settings", async ({
  visitor: page,
  organization: { id, key },
}) => {
  await signInWithKey(page, key);
  await page.getByRole("button", { name: `Test ${id}` }).click();
  await expect(page.getByRole("menu")).toContainText("The session ends with the key.");
  await expect(page.getByRole("menuitemradio")).toHaveCount(0);
  await page.getByRole("menuitem", { name: "Settings" }).click();
  await expect(page).toHaveURL("/settings");
  await expect(page.getByRole("menu")).toHaveCount(0);
});

test("Pages do not contain the ID of their session", async ({ page, db, person }) => {
  const session = await rowsOf(db).session.findFirstOrThrow({ where: { user_id: person.id } });
  const response = await page.goto("/tasks");
  expect(await response?.text()).not.toContain(session.id);
});

/** Makes a person a member after they were made one elsewhere: the first organization is shown. */
async function join(db: Pool, organizationId: string, userId: string) {
  await db.query(
    `INSERT INTO members (organization_id, user_id, role, created_at)
     VALUES ($1, $2, 'member', unix_now() + 60)`,
    [organizationId, userId],
  );
}

async function nameThem(db: Pool, ...names: [string, string][]) {
  for (const [id, name] of names)
    await db.query("UPDATE organizations SET name = $2 WHERE id = $1", [id, name]);
}
