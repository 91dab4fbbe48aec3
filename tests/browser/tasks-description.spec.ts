import type { Page } from "playwright/test";
import { expect, test } from "../support/browser-fixtures";
import { expectWithin } from "../support/expectations";

const MARKDOWN = `# Plan
First line
second line, see https://example.com/a.

- [x] **bold** step
- [ ] \`code\`

| A | B |
| - | - |
| 1 | 2 |

![A chart](https://example.com/chart.png)
`;

test("A description is shown as Markdown, below the page's headings", async ({ page, own }) => {
  const { id } = await own.create("tasks", { name: "Planned", description: MARKDOWN });
  await openRendered(page, id);
  const shown = page.getByRole("region", { name: "Description" });
  await expect(shown.getByRole("heading", { level: 3 })).toHaveText("Plan");
  await expect(shown.getByRole("link", { name: "https://example.com/a" })).toHaveAttribute(
    "rel",
    "noopener noreferrer nofollow",
  );
  await expect(shown.locator("strong")).toHaveText("bold");
  await expect(shown.getByRole("checkbox").first()).toBeChecked();
  await expect(shown.getByRole("cell")).toHaveText(["1", "2"]);
  await expect(shown.locator("br")).toHaveCount(1);
  await expect(shown.getByRole("link", { name: "A chart" })).toHaveAttribute(
    "href",
    "https://example.com/chart.png",
  );
});

test("On a phone a table keeps its words whole, and a list from right to left its bullets", async ({
  page,
  own,
}) => {
  const row = (cell: string) => `|${` ${cell} |`.repeat(12)}`;
  const table = ["value", "---", "value"].map(row).join("\n");
  const description = `- بند أول\n- بند ثان\n\n${table}`;
  const { id } = await own.create("tasks", { name: "Narrow", description });
  await page.setViewportSize({ width: 320, height: 640 });
  await openRendered(page, id);
  const shown = page.getByRole("region", { name: "Description" });
  const cell = await shown.getByRole("cell").first().boundingBox();
  expect(cell?.height).toBeLessThan(40);
  await expect(shown.getByRole("list")).toHaveCSS("padding-right", "24px");
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
});

test("A hostile description runs nothing, loads nothing and cannot replace parts of the page", async ({
  page,
  baseUrl,
  own,
}) => {
  const hostile = [
    `<script>document.title = "taken"</script>`,
    `<img src="https://example.com/x.png" onerror="document.title='taken'">`,
    `<a href="javascript:document.title='taken'" onclick="document.title='taken'">press</a>`,
    `<h1 id="main" class="fixed inset-0 z-50" style="position:fixed">over</h1>`,
    `<form action="https://example.com"><input name="id" type="text"></form>`,
    `<iframe src="https://example.com"></iframe><style>body{display:none}</style>`,
    `<a href="/settings">here</a> <a href="#main">there</a>`,
    "<svg onload=alert(1)><math><mtext></mtext></math></svg>",
  ].join("\n\n");
  const task = await own.create("tasks", { name: "Hostile", description: hostile });
  const foreign: string[] = [];
  page.on("request", (request) => {
    if (!request.url().startsWith(baseUrl)) foreign.push(request.url());
  });
  await openRendered(page, task.id);
  const shown = page.getByRole("region", { name: "Description" });
  await shown.getByText("press").click();
  expect(await page.title()).not.toBe("taken");
  await expect(shown.locator("script, img, form, iframe, style, svg, [id], [style]")).toHaveCount(
    0,
  );
  await expect(shown.locator("[class]")).toHaveCount(0);
  const links = await shown
    .locator("a[href]")
    .evaluateAll((all) => all.map((link) => link.getAttribute("href")));
  expect(links).toEqual(["https://example.com/x.png"]);
  expect(foreign).toEqual([]);
});

test("A description that takes long to render is shown as text in time", async ({
  page,
  api,
  own,
}) => {
  const deep = "> ".repeat(20_000);
  const task = await own.create("tasks", { name: "Deep", description: `${deep}the end` });
  const began = performance.now();
  await page.goto(`/tasks/${task.id}`, { waitUntil: "commit" });
  await expectWithin(api, 1000, performance.now() - began);
  const shown = page.getByRole("region", { name: "Description" });
  await expect(shown).toHaveText(/^[> ]*the end$/);
});

/** On a busy machine the first page may not wait for the Markdown. */
async function openRendered(page: Page, id: string) {
  await expect(async () => {
    await page.goto(`/tasks/${id}`, { waitUntil: "networkidle" });
    expect(await page.locator(".markdown").count()).toBe(1);
  }).toPass();
}
