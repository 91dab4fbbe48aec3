import { expect, test } from "../support/browser-fixtures";
import { makePerson } from "../support/people";

const HOSTILE = `"><script>document.title = "taken"</script><img src=x onerror="document.title = 'taken'">`;

test("A document is written, read, edited, shared, taken back and deleted in the page", async ({
  page,
  api,
  person: _person,
  organization: { key },
  baseUrl,
}) => {
  await page.goto(`${baseUrl}/artifacts`);
  await expect(page.getByText("No artifacts yet")).toBeVisible();
  await page.getByRole("link", { name: "New artifact" }).first().click();
  await page.getByLabel("Name").fill("Report");
  await page.getByLabel("Content").fill("# Findings\n\nAll is **well**.");
  await page.getByRole("button", { name: "Create artifact" }).click();
  await expect(page).toHaveURL(/\/artifacts\/art_\w+$/);
  const id = page.url().split("/").at(-1);
  const read = async () => (await api("GET", `/api/artifacts/${id}`, { key })).body;
  const frame = page.frameLocator("iframe");
  await expect(frame.getByRole("heading", { name: "Findings" })).toBeVisible();

  await page.getByRole("link", { name: "Source" }).click();
  await expect(page.getByRole("region", { name: "Source" })).toContainText("All is **well**.");
  await page.getByRole("link", { name: "Edit" }).click();
  await page.getByLabel("Content").fill("# Later findings");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(frame.getByRole("heading", { name: "Later findings" })).toBeVisible();
  expect(await read()).toMatchObject({ name: "Report", content: "# Later findings" });

  await page.getByRole("button", { name: "Make a link" }).click();
  const link = page.getByRole("link", { name: /\/a\// });
  const shared = String(await link.textContent());
  expect((await page.request.get(shared)).status()).toBe(200);
  await page.getByRole("button", { name: "Revoke all links" }).first().click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke all links" }).click();
  await expect.poll(async () => (await page.request.get(shared)).status()).toBe(404);

  await page.goto(`${baseUrl}/artifacts/${id}`);
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByRole("button", { name: "Delete artifact" }).click();
  await expect(page).toHaveURL(`${baseUrl}/artifacts`);
  expect((await api("GET", `/api/artifacts/${id}`, { key })).status).toBe(404);
});

test("An edit leaves line breaks alone that a form cannot show", async ({
  page,
  api,
  person: _person,
  organization: { key },
  baseUrl,
}) => {
  const strange = { name: "two\nlines", content: "a\r\nb\rc" };
  const { body } = await api("POST", "/api/artifacts", { key, body: strange });
  await page.goto(`${baseUrl}/artifacts/${body.id}?edit=1`);
  await page.getByLabel("Format").selectOption("html");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page).toHaveURL(`${baseUrl}/artifacts/${body.id}`);
  const after = (await api("GET", `/api/artifacts/${body.id}`, { key })).body;
  expect(after).toMatchObject({ ...strange, format: "html" });
});

test("A hostile document of one's own organization reaches neither the page nor its session", async ({
  page,
  api,
  person: _person,
  organization: { key },
  baseUrl,
}) => {
  const content = `<!doctype html><p id="got"></p><script>
    const got = [];
    try { got.push(document.cookie); } catch { got.push("refused"); }
    try { got.push(parent.document.title); } catch { got.push("refused"); }
    try { got.push(localStorage.length); } catch { got.push("refused"); }
    try { if (top !== window) top.location = "/top-was-here"; } catch {}
    fetch("/tasks", { credentials: "include" }).then(() => got.push("read"), () => got.push("refused"))
      .then(() => { document.getElementById("got").textContent = got.join(" ") + " " + origin; });
  </script>`;
  const { body } = await api("POST", "/api/artifacts", {
    key,
    body: { name: HOSTILE, content, format: "html" },
  });
  await page.goto(`${baseUrl}/artifacts/${body.id}`);
  const got = "refused refused refused refused null";
  await expect(page.frameLocator("iframe").locator("#got")).toHaveText(got);
  await expect(page).toHaveURL(`${baseUrl}/artifacts/${body.id}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(HOSTILE);
  await page.goto(`${baseUrl}/artifacts/${body.id}/view`);
  await expect(page.locator("#got")).toHaveText(/ null$/);
  await expect(page.locator("#got")).not.toContainText("read");
  for (const path of ["/artifacts", `/artifacts/${body.id}?view=source`]) {
    await page.goto(baseUrl + path);
    await expect(page.getByRole("main")).toContainText("<img src=x");
    expect(await page.title()).not.toBe("taken");
  }
});

test("Another organization sees nothing of an artifact, whatever address it opens", async ({
  browser,
  page,
  api,
  db,
  otherOrganization,
  organization: { key },
  signInAs,
  baseUrl,
}) => {
  const input = { name: "Secret name", content: "Secret name" };
  const { body } = await api("POST", "/api/artifacts", { key, body: input });
  const open = (await api("POST", "/api/artifacts", { body: { ...input, name: "For all" } })).body;
  const context = await browser.newContext();
  await signInAs(context, await makePerson(db, otherOrganization.id));
  for (const path of ["", "?view=source", "?edit=1", "/view", "/raw", "/raw?download=1"]) {
    const answer = await context.request.get(`${baseUrl}/artifacts/${body.id}${path}`);
    expect({ path, status: answer.status() }).toEqual({ path, status: 404 });
    expect(await answer.text()).not.toContain("Secret name");
  }
  const list = await context.request.get(`${baseUrl}/artifacts`);
  expect(await list.text()).not.toContain("Secret name");
  await context.close();
  expect((await page.request.get(`${baseUrl}/artifacts/${body.id}/view`)).status()).toBe(404);
  await page.goto(`${baseUrl}/artifacts/${open.id}`);
  await expect(page.getByRole("heading", { name: "For all" })).toBeVisible();
  await expect(page.frameLocator("iframe").locator("main")).toContainText("Secret name");
});
