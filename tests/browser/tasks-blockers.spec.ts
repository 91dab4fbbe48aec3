import { finishClient } from "../support/blockers";
import { expect, HOSTILE_TURNED, test } from "../support/browser-fixtures";
import { leaseClient } from "../support/leases";

test("A person blocks a task by name or ID, sees how far each blocker is, and removes blockers", async ({
  page,
  api,
  key,
}) => {
  const { task } = leaseClient(api, key);
  const { blockers, complete } = finishClient(api, key);
  const { id } = await task({ name: "Send the report" });
  const first = await task({ name: "Write the report" });
  const second = await task({ name: "Write the report twice" });
  // No blocker is in the list beside it.
  await page.goto(`/tasks/${id}?priority=critical`);
  const section = page.getByRole("region", { name: "Blockers" });
  await section.getByText("Add a blocker").click();
  const add = async (text: string) => {
    await section.getByLabel("Name or ID of a task").fill(text);
    await section.getByRole("button", { name: "Add blocker" }).click();
  };
  await add("write");
  await expect(section.getByRole("alert")).toContainText(second.id);
  await add("Write the report");
  await expect(section.getByRole("link", { name: "Write the report", exact: true })).toBeVisible();
  await add(second.id);
  await expect(section.getByRole("listitem")).toHaveCount(2);
  expect(await blockers(id)).toEqual([second.id, first.id]);
  await complete(first.id);
  await expect(section.getByRole("listitem").last()).toContainText("Done");
  await add(id);
  await expect(section.getByRole("alert")).toContainText("cannot block itself");
  await section.getByRole("button", { name: "Remove the blocker Write the report twice" }).click();
  await expect(section.getByRole("listitem")).toHaveCount(1);
  expect(await blockers(id)).toEqual([first.id]);
});

test("The list marks a blocked task until its blocker is done", async ({
  context,
  person: _person,
  api,
  key,
}) => {
  const { task } = leaseClient(api, key);
  const { block, complete } = finishClient(api, key);
  const blocker = await task({ name: "First one" });
  const { id } = await task({ name: "Second one" });
  await block(id, blocker.id);
  const marks = async () => {
    const html = await (await context.request.get("/tasks")).text();
    expect(html).toContain("Second one");
    return html.match(/>Blocked</g)?.length;
  };
  expect(await marks()).toBe(1);
  await complete(blocker.id);
  expect(await marks()).toBeUndefined();
});

test("Notes show text, author and time; a person adds one, and only theirs has their address, while they have an account", async ({
  page,
  person,
  api,
  db,
  key,
  organization,
}) => {
  const { id } = await leaseClient(api, key).task();
  await db.query("UPDATE api_keys SET name = $1 WHERE organization_id = $2", [
    person.id,
    organization.id,
  ]);
  await finishClient(api, key).addNote(id, HOSTILE_TURNED);
  expect(await finishClient(api, key).notes(id)).toMatchObject([{ author: person.id }]);
  await page.goto(`/tasks/${id}`);
  await page.getByRole("link", { name: "Notes 1" }).click();
  const section = page.getByRole("region", { name: "Notes" });
  await expect(section.getByRole("listitem")).toContainText(HOSTILE_TURNED);
  await section.getByLabel("New note").fill("Looks good.\nShip it.");
  await section.getByRole("button", { name: "Add note" }).click();
  await expect(section.getByRole("listitem")).toHaveCount(2);
  const [mine] = await finishClient(api, key).notes(id);
  expect(mine).toMatchObject({ author: person.email, body: "Looks good.\nShip it." });
  const newest = section.getByRole("listitem").first();
  await expect(newest).toContainText(person.email ?? "");
  await expect(newest.locator("time")).toBeVisible();
  expect(await page.title()).not.toBe("taken");
  await db.query("DELETE FROM users WHERE id = $1", [person.id]);
  const [theirs] = await finishClient(api, key).notes(id);
  expect(theirs).toEqual({ ...mine, author: null });
});

test("A half-written note is not left without a question, and is there again until it is sent", async ({
  page,
  own,
}) => {
  let asked = 0;
  page.on("dialog", (dialog) => {
    asked += 1;
    return dialog.accept();
  });
  const { id } = await own.create("tasks", { name: "Write the report" });
  await page.goto(`/tasks/${id}?tab=notes`);
  const note = page.getByLabel("New note");
  const visitHistory = async () => {
    await page.getByRole("link", { name: "History" }).click();
    await expect(note).toHaveCount(0);
    await page.getByRole("link", { name: /^Notes/ }).click();
  };
  await note.fill("Looks good.");
  await visitHistory();
  await expect(note).toHaveValue("Looks good.");
  expect(asked).toBe(1);
  await page.getByRole("button", { name: "Add note" }).click();
  await expect(page.getByRole("region", { name: "Notes" })).toContainText("Looks good.");
  await expect(note).toHaveValue("");
});
