import { expect, test } from "../support/browser-fixtures";
import { show } from "../support/pages";
import { clockWithRoom } from "../support/windows";

/** What the rows of lists say, so that one can be told from another. */

test("Messages say what made them, and the response with its time", async ({
  page,
  api,
  key,
  own,
  target,
  endpoint,
}) => {
  await api("PUT", `/api/webhooks/${endpoint.id}/forward`, { key, body: { url: target.url } });
  await endpoint.capture({ body: { order: 1 } });
  await own.create("messages", { url: target.url, delay_seconds: 3600 });
  await page.goto("/messages");
  const rows = page.getByRole("row");
  await expect(rows.filter({ hasText: "API" })).toHaveCount(1);
  const forwarded = rows.filter({ has: page.getByRole("cell", { name: "Orders", exact: true }) });
  await expect(async () => {
    await api("POST", "/api/messages/dispatch");
    await expect(forwarded).toContainText(/200 · [\d,]+ ms/, { timeout: 1000 });
  }).toPass();
});

test("Endpoints say where they forward, whether signatures are checked and valid, what came last, and how busy they were", async ({
  page,
  api,
  key,
  db,
  own,
  endpoint,
}) => {
  await clockWithRoom(db, 3600);
  const inbox = await own.create("inboxes", { name: "Orders to sort" });
  const path = `/api/webhooks/${endpoint.id}`;
  await api("PUT", `${path}/forward`, { key, body: { inbox_id: inbox.id } });
  const check = { scheme: "github", secret: "A secret of this test" };
  await api("PUT", `${path}/verification`, { key, body: check });
  const { id: unusedId } = await own.create("webhooks", { name: "Unused" });
  await api("PUT", `/api/webhooks/${unusedId}/verification`, { key, body: check });
  await endpoint.capture();
  await api("PUT", `/api/catch/${endpoint.id}`, { body: { last: true } });
  const row = page.getByRole("row").filter({ hasText: "→ Orders to sort" });
  // They are counted once a second.
  await expect(async () => {
    await page.goto("/webhooks");
    await expect(row.locator(".text-failed")).toHaveText("2 failed checks", { timeout: 500 });
  }).toPass();
  await expect(row).toContainText("PUT");
  await expect(row).toContainText("2 of 100");
  await expect(row.getByRole("img", { name: "2 in 24 hours, 2 an hour at most" })).toBeVisible();
  const unused = page.getByRole("row").filter({ hasText: "Unused" });
  await expect(unused).toContainText("none yet");
  await expect(unused).toContainText("checked");
  await expect(unused.locator(".text-ok")).toHaveCount(0);
  await expect(unused.getByRole("img")).toHaveCount(0);
});

test("Artifacts show their first lines, versions, author and whether they are shared", async ({
  page,
  api,
  key,
  own,
}) => {
  const { id } = await own.create("artifacts", {
    name: "Report",
    content: "# Week 48\n\n**All** well",
  });
  const table = "| A | B |\n|---|---:|\n| [c](https://c.example/) | d |";
  await own.update(`artifacts/${id}`, { content: `# Week 49\n\n- [x] **Two** late\n\n${table}` });
  const share = await api("POST", `/api/artifacts/${id}/share`, { key, body: {} });
  await own.create("artifacts", {
    name: "Page",
    format: "html",
    content: "<style>p{}</style><p>Hello",
  });
  await page.goto("/artifacts");
  const row = page.getByRole("row").filter({ hasText: "Report" });
  for (const words of ["Week 49 Two late A B c d", "2 versions", "shared"]) {
    await expect(row).toContainText(words);
  }
  await expect(page.getByRole("row").filter({ hasText: "Page" })).toContainText("Hello");
  await api("DELETE", `/api/artifacts/${id}/shares/${share.body.id}`, { key });
  await show(page, "visible"); // polls at once
  await expect(row).not.toContainText("shared");
});
