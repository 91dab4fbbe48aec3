import { inflateSync } from "node:zlib";
import type { Page } from "playwright/test";
import { expect, test } from "../support/browser-fixtures";
import { makePerson } from "../support/people";

/** Earlier versions of a document in the dashboard, and documents on paper. */

test("A person can view, compare and restore an earlier version", async ({ page, own }) => {
  const { id } = await own.create("artifacts", {
    name: "Report",
    content: "# One\n\nsame\n\nold <b>line</b>",
  });
  await own.update(`artifacts/${id}`, { content: "# One\n\nsame\n\nnew line\n\nmore" });
  await own.update(`artifacts/${id}`, { name: "Final", content: "# Three" });
  await page.goto(`/artifacts/${id}`);
  const history = page.getByRole("region", { name: "History" });
  await expect(history.getByRole("listitem").first()).toContainText("Version 3, 7 bytes");
  await history.getByRole("link", { name: "Version 1" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Version 1" })).toBeVisible();
  await expect(page.getByRole("tab", { name: "Changes", selected: true })).toBeVisible();
  await page.getByRole("tab", { name: "Document" }).click();
  await expect(page.frameLocator("iframe").locator("main")).toContainText("old line");
  await page.getByRole("tab", { name: "Source" }).click();
  await expect(page.getByRole("region", { name: "Source" })).toContainText("old <b>line</b>");

  await page.getByRole("tab", { name: "Changes" }).click();
  await expect(page.getByRole("heading", { name: "from version 1 to version 3" })).toBeVisible();
  await expect(page.getByText("Renamed from Report to Final")).toBeVisible();
  await page.getByLabel("Compare with").selectOption("Version 2");
  await page.getByRole("button", { name: "Compare" }).click();
  await expect(page.getByRole("heading", { name: "from version 1 to version 2" })).toBeVisible();
  await expect(page.getByText("1 line removed, 3 lines added")).toBeVisible();
  const rows = page.getByRole("region", { name: "Changed lines" }).getByRole("row");
  await expect(rows.filter({ hasText: "Removed:" })).toHaveText(/5.*old <b>line<\/b>/);
  await expect(rows.filter({ hasText: "Added:" })).toHaveText([/5.*new line/, /6/, /7.*more/]);

  await page.getByRole("button", { name: "Restore this version" }).click();
  await expect(page).toHaveURL(`/artifacts/${id}`);
  await expect(page.frameLocator("iframe").locator("main")).toContainText("old line");
  await expect(history.getByRole("listitem").first()).toContainText("Version 4, ");
  const restored = await own.read(`artifacts/${id}`);
  expect(restored).toMatchObject({ name: "Report", content: "# One\n\nsame\n\nold <b>line</b>" });
});

test("A changed line shows which of its words have changed", async ({ page, own }) => {
  const { id } = await own.create("artifacts", {
    name: "Report",
    content: "All five tests pass.\n\nOnly here, and nowhere else",
  });
  await own.update(`artifacts/${id}`, {
    content: "All six tests pass now.\n\nSomething completely new",
  });
  await page.goto(`/artifacts/${id}/versions/1`);
  const rows = page.getByRole("region", { name: "Changed lines" }).getByRole("row");
  const marked = (name: string) => rows.filter({ hasText: name }).first().locator("mark");
  await expect(marked("Removed:")).toHaveText(["five"]);
  await expect(marked("Added:")).toHaveText(["six", " now"]);
  // A line that is not like the one in its place is another line.
  await expect(page.locator("mark")).toHaveCount(3);
});

test("Who saves a document second sees both texts, and the history keeps both", async ({
  page,
  api,
  key,
  own,
}) => {
  const { id } = await own.create("artifacts", {
    name: "Report",
    content: "First line\n\nSecond line\n",
  });
  await page.goto(`/artifacts/${id}?edit=1`);
  await own.update(`artifacts/${id}`, { content: "First line\n\nSecond line, theirs\n" });
  const content = page.getByLabel("Content", { exact: true });
  await content.fill("First line, mine\n\nSecond line\n");
  await page.getByRole("button", { name: "Save changes" }).click();
  const main = page.getByRole("main");
  await expect(main.getByText("Content has changed: − is theirs, + is yours")).toBeVisible();
  await expect(main.locator("mark")).toHaveText([", mine", ", theirs"]);
  await expect(content).toHaveValue("First line, mine\n\nSecond line\n");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page).toHaveURL(`/artifacts/${id}`);
  const versions = [1, 2, 3].map((n) => `/api/artifacts/${id}/versions/${n}/raw`);
  const texts = await Promise.all(versions.map((path) => api("GET", path, { key })));
  expect(texts.map(({ text }) => text)).toEqual([
    "First line\n\nSecond line\n",
    "First line\n\nSecond line, theirs\n",
    "First line, mine\n\nSecond line\n",
  ]);
});

test("A restore asks before it overwrites a change that was not seen", async ({ page, own }) => {
  const { id } = await own.create("artifacts", { name: "Report", content: "one" });
  await own.update(`artifacts/${id}`, { content: "two" });
  await page.goto(`/artifacts/${id}/versions/1`);
  await own.update(`artifacts/${id}`, { content: "theirs" });
  await page.getByRole("button", { name: "Restore this version" }).click();
  await expect(page.getByText("Someone else has changed this.")).toBeVisible();
  expect((await own.read(`artifacts/${id}`)).content).toBe("theirs");
  await page.getByRole("button", { name: "Restore over theirs" }).click();
  await expect(page).toHaveURL(`/artifacts/${id}`);
  expect((await own.read(`artifacts/${id}`)).content).toBe("one");
});

test("Without JavaScript a version is compared and restored", async ({ openBrowser, own }) => {
  const { id } = await own.create("artifacts", { name: "Report", content: "one" });
  await own.update(`artifacts/${id}`, { content: "two" });
  const plain = await openBrowser({ javaScriptEnabled: false });
  await plain.goto(`/artifacts/${id}/versions/1?view=changes`);
  await plain.getByRole("button", { name: "Compare" }).click();
  await expect(plain.getByText("1 line removed, 1 line added")).toBeVisible();
  await plain.getByRole("button", { name: "Restore this version" }).click();
  await expect(plain).toHaveURL(`/artifacts/${id}`);
  expect((await own.read(`artifacts/${id}`)).content).toBe("one");
});

test("A version without content says so, and an unknown one is 404", async ({ page, db, own }) => {
  const { id } = await own.create("artifacts", { name: "Report", content: "one" });
  await own.update(`artifacts/${id}`, { content: "two" });
  await db.query("DELETE FROM artifact_contents WHERE artifact_id = $1", [id]);
  await page.goto(`/artifacts/${id}/versions/1`);
  await expect(page.getByText("The content of this version is no longer kept.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Restore this version" })).toHaveCount(0);
  await page.goto(`/artifacts/${id}/versions/2`);
  await expect(page.getByText("The current version.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Restore this version" })).toHaveCount(0);
  for (const n of ["0", "3", "01", "x"]) {
    expect((await page.request.get(`/artifacts/${id}/versions/${n}`)).status()).toBe(404);
  }
});

test("A hostile earlier version runs in a sandbox, wherever it is opened", async ({
  page,
  openBrowser,
  otherOrganization,
  db,
  own,
}) => {
  const script =
    "<script>try { parent.document.title = 'taken' } catch {}; document.title = origin</script>";
  const { id } = await own.create("artifacts", { name: "x", format: "html", content: script });
  await own.update(`artifacts/${id}`, { content: "harmless" });
  await page.goto(`/artifacts/${id}/versions/1?view=document`);
  await expect(page.locator("iframe")).toHaveAttribute("sandbox", "allow-scripts");
  expect(await page.title()).not.toBe("taken");
  for (const path of ["raw", "view"]) {
    const response = await page.goto(`/artifacts/${id}/versions/1/${path}`);
    expect(response?.headers()["content-security-policy"]).toMatch(/^sandbox allow-scripts/);
    await expect.poll(() => page.title()).toBe("null");
  }
  const stranger = await openBrowser({}, await makePerson(db, otherOrganization.id));
  for (const path of ["", "?view=source", "?view=changes", "/view", "/raw"]) {
    const response = await stranger.request.get(`/artifacts/${id}/versions/1${path}`);
    expect({ path, status: response.status() }).toEqual({ path, status: 404 });
  }
});

const PARAGRAPHS = 150;
const LONG = Array.from({ length: PARAGRAPHS }, (_, n) => `Paragraph ${n} of a long document.`);

for (const [format, content] of [
  ["markdown", `${LONG.join("\n\n")}\n\n# The end`],
  ["html", `${LONG.map((text) => `<p>${text}</p>`).join("")}<p style="font-size: 28px">The end`],
] as const) {
  test(`A ${format} document is printed in full, without its page`, async ({ page, own }) => {
    const { id } = await own.create("artifacts", { name: "Long", format, content });
    const { url } = await own.create(`artifacts/${id}/share`, {});
    const paths = [`/artifacts/${id}`, new URL(url).pathname];
    // Its frame is that of the document.
    if (format === "markdown") paths.push(`/artifacts/${id}/versions/1`);
    for (const path of paths) {
      await page.goto(path);
      const frame = page.frameLocator("iframe");
      await expect(frame.getByText("The end")).toBeAttached();
      const height = await frame.locator("body").evaluate((body) => body.scrollHeight);
      await expect
        .poll(async () => readPdf(await page.pdf({ format: "A4" })), { message: path })
        .toEqual({ hasEnd: true, hasPages: true });
      await printing(page);
      const last = format === "markdown" ? page.getByText("The end") : frame.locator("body");
      await expect(last).toBeVisible();
      for (const around of ["button", "nav", "header", "aside"]) {
        for (const one of await page.locator(around).all()) await expect(one).toBeHidden();
      }
      if (format === "html") {
        const box = await page.locator("iframe").boundingBox();
        expect(box?.height).toBeGreaterThanOrEqual(height);
      } else {
        await expect(page.locator("iframe")).toBeHidden();
      }
      await page.evaluate(() => window.dispatchEvent(new Event("afterprint")));
      await page.emulateMedia({ media: null });
      await expect(page.locator("iframe")).toBeVisible();
    }
  });
}

test("A document is printed dark on white, without its scripts", async ({ page, own }) => {
  const content =
    "Text <img src=x onerror=\"document.title = 'taken'\"> [link](javascript:alert(1))";
  const { id } = await own.create("artifacts", { name: "x", content });
  await page.emulateMedia({ colorScheme: "dark" });
  await page.goto(`/artifacts/${id}`);
  await expect(page.frameLocator("iframe").getByText("Text")).toBeVisible();
  await printing(page);
  const text = page.locator("[data-print] main p");
  await expect(text).toBeVisible();
  expect(await text.evaluate((one) => getComputedStyle(one).color)).toBe("rgb(21, 23, 27)");
  expect(await page.title()).not.toBe("taken");
  await expect(
    page.locator("[data-print] main [onerror], [data-print] main [href^=javascript]"),
  ).toHaveCount(0);
});

async function printing(page: Page) {
  await page.emulateMedia({ media: "print" });
  await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
}

/** Whether it has several pages, and whether the end of the document, in letters of 28 px, is on one. */
function readPdf(pdf: Buffer) {
  const text = pdf.toString("latin1");
  const streams = [...text.matchAll(/FlateDecode[^>]*>>\s*stream\r?\n([\s\S]*?)\r?\nendstream/g)];
  const drawn = streams.map(([, stream = ""]) =>
    inflateSync(Buffer.from(stream, "latin1")).toString("latin1"),
  );
  return {
    hasPages: (text.match(/\/Type\s*\/Page\b/g)?.length ?? 0) > 3,
    hasEnd: drawn.some((content) => /\/F\d+ 28 Tf/.test(content)),
  };
}
