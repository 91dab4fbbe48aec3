import { inflateSync } from "node:zlib";
import { expect, test } from "../support/browser-fixtures";
import { textOf } from "../support/forms";

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
  await expect(page.getByRole("link", { name: "Changes" })).toHaveAttribute("aria-current", "page");
  await page.getByRole("link", { name: "Document", exact: true }).click();
  await expect(page.frameLocator("iframe").locator("main")).toContainText("old line");
  await page.getByRole("link", { name: "Source" }).click();
  await expect(page.getByRole("region", { name: "Source" })).toContainText("old <b>line</b>");

  await page.getByRole("link", { name: "Changes" }).click();
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
  const response = await page.request.get(`/artifacts/${id}/versions/1`);
  const marked = [...(await response.text()).matchAll(/<mark[^>]*>([^<]*)</g)];
  // A line that is not like the one in its place is another line.
  expect(marked.map(([, words]) => words)).toEqual(["five", "six", " now"]);
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
  await expect(page.getByText("This has changed since the page loaded.")).toBeVisible();
  expect((await own.read(`artifacts/${id}`)).content).toBe("theirs");
  await page.getByRole("button", { name: "Restore over theirs" }).click();
  await expect(page).toHaveURL(`/artifacts/${id}`);
  expect((await own.read(`artifacts/${id}`)).content).toBe("one");
});

test("A version without content says so, and an unknown one is 404", async ({ page, db, own }) => {
  const { id } = await own.create("artifacts", { name: "Report", content: "one" });
  await own.update(`artifacts/${id}`, { content: "two" });
  await db.query("DELETE FROM artifact_contents WHERE artifact_id = $1", [id]);
  const open = (n: string) => page.request.get(`/artifacts/${id}/versions/${n}`);
  for (const [n, words] of [
    ["1", "The content of this version is no longer kept."],
    ["2", "The current version."],
  ] as const) {
    const shown = textOf(await (await open(n)).text());
    expect(shown).toContain(words);
    expect(shown).not.toContain("Restore this version");
  }
  for (const n of ["0", "3", "01", "x"]) expect((await open(n)).status(), n).toBe(404);
});

test("A hostile earlier version runs in a sandbox, wherever it is opened", async ({
  page,
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
});

const HOSTILE = "Text <img src=x onerror=\"document.title = 'taken'\"> [link](javascript:alert(1))";
const PARAGRAPHS = 150;
const LONG = Array.from({ length: PARAGRAPHS }, (_, n) => `Paragraph ${n} of a long document.`);

test("A document is printed in full, dark on white, without its page and its scripts", async ({
  page,
  own,
}) => {
  await page.emulateMedia({ colorScheme: "dark" });
  for (const [format, content] of [
    ["markdown", `${HOSTILE}\n\n${LONG.join("\n\n")}\n\n# The end`],
    ["html", `${LONG.map((text) => `<p>${text}</p>`).join("")}<p style="font-size: 28px">The end`],
  ] as const) {
    const { id } = await own.create("artifacts", { name: "Long", format, content });
    const { url } = await own.create(`artifacts/${id}/share`, {});
    await page.goto(format === "markdown" ? `/artifacts/${id}` : url);
    const frame = page.frameLocator("iframe");
    await expect(frame.getByText("The end")).toBeAttached();
    const height = await frame.locator("body").evaluate((body) => body.scrollHeight);
    await expect
      .poll(async () => readPdf(await page.pdf({ format: "A4" })), { message: format })
      .toEqual({ hasEnd: true, hasPages: true });
    await page.emulateMedia({ media: "print" });
    await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
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
      const printed = page.locator("[data-print] main");
      await expect(printed.locator("p").first()).toHaveCSS("color", "rgb(21, 23, 27)");
      await expect(printed.locator("[onerror], [href^=javascript]")).toHaveCount(0);
      expect(await page.title()).not.toBe("taken");
    }
    await page.evaluate(() => window.dispatchEvent(new Event("afterprint")));
    await page.emulateMedia({ media: null });
    await expect(page.locator("iframe")).toBeVisible();
  }
});

test("Without scripts a page of a document is printed, and a link leads to one that prints all", async ({
  openBrowser,
  own,
}) => {
  const { id } = await own.create("artifacts", { name: "Long", content: LONG.join("\n\n") });
  const { url } = await own.create(`artifacts/${id}/share`, {});
  const visitor = await openBrowser({ javaScriptEnabled: false });
  await visitor.goto(url);
  const alone = visitor.getByRole("link", { name: "the document alone" });
  await expect(alone).toHaveAttribute("href", `${new URL(url).pathname}/view`);
  await visitor.emulateMedia({ media: "print" });
  await expect(alone).toBeHidden();
  const box = await visitor.locator("iframe").boundingBox();
  expect(box?.height).toBeGreaterThan(500);
});

test("A question is printed with its words and its documents, and without what can be pressed", async ({
  page,
  own,
}) => {
  const prompt = "Shall we?\nIt is late.";
  const { id } = await own.create("questions", { prompt, kind: "approve", context: "# Why" });
  await page.goto(`/questions/${id}`);
  await expect(page.frameLocator("iframe").getByText("Why")).toBeVisible();
  await page.emulateMedia({ media: "print" });
  await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
  await expect(page.getByText("It is late.")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Why" })).toBeVisible();
  for (const one of ["button", "nav"]) await expect(page.locator(one).first()).toBeHidden();
});

test("A document that became HTML after its page was opened is not printed into the page", async ({
  page,
  own,
}) => {
  const { id } = await own.create("artifacts", { name: "Changed", content: "A text" });
  await page.goto(`/artifacts/${id}`);
  await expect(page.frameLocator("iframe").getByText("A text")).toBeVisible();
  await own.update(`artifacts/${id}`, { format: "html", content: "<main>Not sanitized</main>" });
  await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
  expect(await page.locator("[data-print] main").count()).toBe(0);
});

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
