import type { Locator } from "playwright/test";
import { expect, HOSTILE, test } from "../support/browser-fixtures";
import { textOf } from "../support/forms";

test("A new share link is offered to copy until it is revoked, whatever others there are, and then shows nothing", async ({
  page,
  own,
}) => {
  const { id } = await own.create("artifacts", { name: "Report", content: "# Findings" });
  await page.goto(`/artifacts/${id}`);
  const heading = page.frameLocator("iframe").getByRole("heading", { name: "Findings" });
  await expect(heading).toBeVisible();
  const links = page.getByRole("list", { name: "Active links" }).getByRole("listitem");
  const create = async (count: number) => {
    await page.getByRole("button", { name: "Create link" }).click();
    await expect(links).toHaveCount(count);
  };
  const revoke = async (link: Locator) => {
    await link.getByRole("button", { name: "Revoke" }).click();
    await page.getByRole("button", { name: "Revoke link" }).click();
  };
  await create(1);
  const shared = String(await page.getByRole("link", { name: /\/a\// }).textContent());
  const status = async () => (await page.request.get(shared)).status();
  expect(await status()).toBe(200);
  await create(2);
  await create(3);
  const copy = page.getByRole("button", { name: "Copy link" });
  await revoke(links.last());
  await expect(links).toHaveCount(2);
  await expect(copy).toBeVisible();
  await expect.poll(status).toBe(404);
  await revoke(links.first());
  await expect(links).toHaveCount(1);
  await expect(copy).toHaveCount(0);
  await create(2);
  await page.getByRole("link", { name: "Edit", exact: true }).click();
  await expect(page).toHaveURL(/edit=1/);
  await page.getByRole("button", { name: "Revoke all" }).click();
  await page.getByRole("button", { name: "Revoke 2 links" }).click();
  await expect(links).toHaveCount(0);
  await expect(page).toHaveURL(/edit=1/);
  await page.goto(shared);
  await expect(page.getByRole("heading", { name: "This link does not work" })).toBeVisible();
  await expect(page.getByText("was revoked by the owner")).toBeVisible();
});

test("The history shows changes of size, name and format, and authors", async ({ page, own }) => {
  const { id } = await own.create("artifacts", { name: "x", content: "x".repeat(1500) });
  const path = `artifacts/${id}`;
  await own.update(path, { content: "x".repeat(4000) });
  await own.update(path, { content: "y".repeat(4000) });
  await own.update(path, { name: HOSTILE, format: "html", content: "y" });
  await page.goto(`/artifacts/${id}`);
  const history = page.getByRole("region", { name: "History" });
  await expect(history.getByRole("img")).toHaveAccessibleName("4 versions, from 1.5 kB to 1 byte");
  const entries = history.getByRole("listitem");
  await expect(entries).toHaveCount(4);
  await expect(entries.nth(0)).toContainText("1 byte (−4.0 kB)");
  await expect(entries.nth(0)).toContainText(`Renamed to ${HOSTILE}, Now HTML, by test`);
  await expect(entries.nth(1)).toContainText("4.0 kB (same size)");
  await expect(entries.nth(2)).toContainText("4.0 kB (+2.5 kB)");
  await expect(entries.nth(3)).toContainText("Created, by test");
  expect(await page.title()).not.toBe("taken");
});

test("Anybody with the URL can read a public document, whose page does not name its authors", async ({
  visitor: page,
  api,
  own,
}) => {
  const made = (await api("POST", "/api/artifacts", { body: { name: "x", content: "x" } })).body;
  await own.update(`artifacts/${made.id}`, { content: "xyz" });
  await page.goto(`/artifacts/${made.id}`);
  await expect(page.frameLocator("iframe").locator("main")).toContainText("xyz");
  const entries = page.getByRole("region", { name: "History" }).getByRole("listitem");
  await expect(entries.nth(0)).toContainText("by a key");
  await expect(entries.nth(1)).toContainText("by an anonymous caller");
  await expect(page.getByRole("region", { name: "History" })).not.toContainText("key_");
});

test("A preview of a draft is sandboxed", async ({ page }) => {
  await page.goto("/artifacts?new=1");
  await page.getByLabel("Content").fill("# A heading\n\n<script>top.x = 1</script>");
  await page.getByRole("button", { name: "Preview" }).click();
  const preview = page.frameLocator("iframe[title=Preview]");
  await expect(preview.getByRole("heading", { name: "A heading" })).toBeVisible();
  await expect(preview.locator("script")).toHaveCount(0);
  await page.getByRole("button", { name: "Write" }).click();
  await page.getByLabel("Format").selectOption("html");
  await page.getByLabel("Content").fill(`<p id="got"></p><script>
    let got = "read";
    try { parent.document.title; } catch { got = "refused"; }
    document.getElementById("got").textContent = got + " " + origin;
  </script>`);
  await page.getByRole("button", { name: "Preview" }).click();
  await expect(preview.locator("#got")).toHaveText("refused null");
});

test("Previews are refused to signed-out visitors, other sites and forms of another encoding", async ({
  page,
  context,
}) => {
  const fields = { content: "# Hello", format: "markdown" };
  const post = async (site: string, encoding: "multipart" | "form" = "multipart") => {
    const headers = { "sec-fetch-site": site };
    return page.request.post("/artifacts/preview/view", { headers, [encoding]: fields });
  };
  expect((await post("same-origin")).status()).toBe(200);
  expect((await post("same-origin", "form")).status()).toBe(400);
  expect((await post("cross-site")).ok()).toBe(false);
  await context.clearCookies();
  expect((await post("same-origin")).status()).toBe(401);
});

test("An organization's hostile document cannot reach page or session", async ({ page, own }) => {
  const content = `<!doctype html><p id="got"></p><script>
    const got = [];
    try { got.push(document.cookie); } catch { got.push("refused"); }
    try { got.push(parent.document.title); } catch { got.push("refused"); }
    try { got.push(localStorage.length); } catch { got.push("refused"); }
    try { if (top !== window) top.location = "/top-was-here"; } catch {}
    fetch("/tasks", { credentials: "include" }).then(() => got.push("read"), () => got.push("refused"))
      .then(() => { document.getElementById("got").textContent = got.join(" ") + " " + origin; });
  </script>`;
  const artifact = await own.create("artifacts", { name: HOSTILE, content, format: "html" });
  await page.goto(`/artifacts/${artifact.id}`);
  const got = "refused refused refused refused null";
  await expect(page.frameLocator("iframe").locator("#got")).toHaveText(got);
  await expect(page).toHaveURL(`/artifacts/${artifact.id}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(HOSTILE);
  await page.goto(`/artifacts/${artifact.id}/view`);
  await expect(page.locator("#got")).toHaveText(/ null$/);
  await expect(page.locator("#got")).not.toContainText("read");
  await page.goto(`/artifacts/${artifact.id}?view=source`);
  await expect(page.getByRole("region", { name: "Source" })).toContainText("<script>");
  expect(await page.title()).not.toBe("taken");
});

test("The new owner sees share links that are older than the claim", async ({ page, api, key }) => {
  const made = await api("POST", "/api/artifacts", {
    query: { share: "true" },
    body: { name: "Report", content: "text" },
  });
  const { id, claim_token, share_url } = made.body;
  await api("POST", `/api/claim/${id}`, { key, body: { claim_token } });
  const shown = await page.request.get(`/artifacts/${id}`);
  expect(textOf(await shown.text())).toContain("Created before the claim");
  const shared = await page.request.get(share_url);
  expect(textOf(await shared.text())).toContain("Report");
});
