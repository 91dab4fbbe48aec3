import type { Page } from "playwright/test";
import { expect, test } from "../support/browser-fixtures";
import { shiftsOf, watchShifts } from "../support/pages";

test("A first visit loads one file of each typeface, and others only for other letters", async ({
  page,
  baseUrl,
  own,
}) => {
  const make = async (name: string) => {
    const { id } = await own.create("artifacts", { name, content: name });
    return `${baseUrl}/artifacts/${id}?view=source`;
  };
  const basic = ["geist-basic", "geist-mono-basic"];
  expect(await fontsOf(page, await make("Plain – “text”…"))).toEqual(basic);
  expect(await fontsOf(page, await make("Größe"))).toEqual([
    "geist-basic",
    "geist-latin-wght-normal",
    "geist-mono-basic",
    "geist-mono-latin-wght-normal",
  ]);
});

test("Pages and documentation are set in Geist from one preloaded file, and nothing moves when it is late", async ({
  page,
  baseUrl,
}) => {
  for (const path of ["/", "/docs"]) {
    const files: string[] = [];
    page.on("request", (request) => {
      if (/geist-basic[^/]*woff2/.test(request.url())) files.push(request.url());
    });
    await page.goto(baseUrl + path, { waitUntil: "networkidle" });
    expect(files, path).toHaveLength(1);
    await expect(page.locator(`link[rel=preload][as=font]`)).toHaveAttribute("crossorigin", "");
    page.removeAllListeners("request");
  }
  await page.route("**/*.woff2*", async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 400));
    await route.continue();
  });
  await page.goto(`${baseUrl}/`, { waitUntil: "commit" });
  await page.locator("main h1").waitFor();
  await watchShifts(page);
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  await page.waitForLoadState("networkidle");
  expect(await shiftsOf(page)).toEqual([]);
});

/** The typefaces that a page loads, by the names of their files. */
async function fontsOf(page: Page, url: string): Promise<string[]> {
  await page.goto(url);
  const names = await page.evaluate(async () => {
    await document.fonts.ready;
    return performance.getEntriesByType("resource").map(({ name }) => name);
  });
  return names.flatMap((name) => /([\w-]+)\.[^/]*woff2/.exec(name)?.[1] ?? []).sort();
}
