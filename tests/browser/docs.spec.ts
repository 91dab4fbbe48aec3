import { barriersOn, complaintsOf } from "../support/barriers";
import { builtDocs } from "../support/documents";
import { expect, test } from "../support/fixtures";
import { stretchTimers } from "../support/timers";
import { countTransfer, TRANSFER_BYTES_MAX } from "../support/transfer";

/** /docs in a browser. What is on the pages: tests/unit/docs-pages.spec.ts. */

/** Small pages with each kind of content: axe takes seconds for a large one. */
const KINDS = ["/docs/artifacts", "/docs/reference/credentials", "/docs"];

test("No page of /docs is wider than 320 px or has an error in its console, and the longest transfers at most 200 kB", async ({
  page,
}) => {
  const complaints = complaintsOf(page);
  const transferOf = await countTransfer(page);
  await page.setViewportSize({ width: 320, height: 640 });
  const longest = { path: "", length: 0 };
  const paths = builtDocs().pages.map(({ path }) => path);
  for (const path of paths.filter(Boolean)) {
    await page.goto(path);
    const { width, length } = await page.evaluate(async () => {
      await document.fonts.ready;
      const { scrollWidth: width, innerHTML } = document.documentElement;
      return { width, length: innerHTML.length };
    });
    expect({ path, width }).toEqual({ path, width: 320 });
    if (length > longest.length) Object.assign(longest, { path, length });
  }
  expect(complaints).toEqual([]);
  const bytes = await transferOf(longest.path);
  expect(bytes).toBeGreaterThan(1000);
  expect(bytes, longest.path).toBeLessThanOrEqual(TRANSFER_BYTES_MAX);
});

test("No kind of page has a serious accessibility barrier, and neither has the search", async ({
  page,
}) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  for (const path of KINDS) {
    await page.goto(path);
    expect(await barriersOn(page, { colours: path === "/docs/artifacts" })).toEqual([]);
  }
  await page.keyboard.press("/");
  await page.getByRole("combobox", { name: "Search" }).fill("lease");
  await expect(page.getByRole("option").first()).toBeVisible();
  expect(await barriersOn(page, { colours: false })).toEqual([]);
  await page.keyboard.press("Escape");
  await page.setViewportSize({ width: 360, height: 640 });
  await page.getByRole("button", { name: "Pages" }).click();
  await expect(page.getByRole("link", { name: "Webhooks" }).first()).toBeVisible();
  expect(await barriersOn(page, { colours: false })).toEqual([]);
});

test("The search opens by keyboard, finds a section and goes there", async ({ page }) => {
  await page.goto("/docs");
  await page.keyboard.press("ControlOrMeta+k");
  const search = page.getByRole("combobox", { name: "Search" });
  await expect(search).toBeFocused();
  await search.fill("zzqqxx");
  await expect(page.getByText("Nothing found.")).toBeVisible();
  await search.fill("lease_lost");
  const first = page.getByRole("option").first();
  await expect(first).toContainText("lease_lost");
  await expect(first).toHaveAttribute("aria-selected", "true");
  await search.press("ArrowDown");
  await expect(page.getByRole("option").nth(1)).toHaveAttribute("aria-selected", "true");
  await search.press("ArrowUp");
  await search.press("Enter");
  await expect(page).toHaveURL(/\/docs\/errors#lease_lost$/);
  await expect(page.getByRole("heading", { name: "lease_lost" })).toBeInViewport();
  await page.waitForLoadState(); // its scripts have run
  await page.keyboard.press("/");
  await expect(search).toBeFocused();
  await search.fill("lease");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
});

test("Code is copied as it is, and the chosen language of the examples stays on the next page", async ({
  page,
  context,
  baseUrl,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: baseUrl });
  await stretchTimers(page, 1500); // for which it says "Copied"
  await page.goto("/docs/reference/tasks#create-a-task");
  const language = (name: string) => page.getByRole("radio", { name });
  await page.getByText("TypeScript", { exact: true }).nth(1).click();
  await expect(language("TypeScript").first()).toBeChecked();
  await page.getByRole("button", { name: "Copy" }).first().click();
  await expect(page.getByRole("button", { name: "Copied" })).toBeVisible();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toMatch(/^import \{ createClient \} from "agent-infrastructure-client";\n\nconst/);
  await page.goto("/docs/reference/inboxes");
  const example = page.getByRole("group", { name: "Example in" }).first().getByRole("figure");
  await expect(example).toContainText("createClient");
  await language("TypeScript").first().press("ArrowLeft");
  await expect(language("curl").first()).toBeFocused();
  await expect(example).toContainText("curl");
});

test("Without JavaScript every page is reached, also on a phone", async ({ browser, baseUrl }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: baseUrl });
  const page = await context.newPage();
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto("/docs/reference/tasks");
  await page.getByText("TypeScript", { exact: true }).first().click();
  await expect(page.getByText("createClient({").first()).toBeVisible();
  await expect(page.locator("button[data-search]").first()).toBeHidden();
  await page.getByRole("button", { name: "Pages" }).click();
  await page.getByRole("link", { name: "Conventions" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("API conventions");
  await page.getByRole("link", { name: "Next" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Accounts and keys");
  await context.close();
});
