import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { insertTasks } from "../support/accounts";
import { expect, test } from "../support/browser-fixtures";
import { everyPage } from "../support/pages";

const SCRIPT_BYTES_MAX = 200_000;

for (const colorScheme of ["light", "dark"] as const) {
  test(`No page has a serious barrier, a refused script or an error in its console: ${colorScheme}`, async ({
    page,
    api,
    person: _person,
    organization,
    baseUrl,
  }) => {
    test.setTimeout(600_000);
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    const complaints = complaintsOf(page);
    for (const path of await everyPage(api, organization.key)) {
      await page.goto(baseUrl + path, { waitUntil: "load" });
      // axe waits for ever in a frame without scripts; what stands in it is an artifact's, not ours.
      for (const frame of await page.locator("iframe").all()) {
        await expect(frame).toHaveAttribute("title", /./);
        await frame.evaluate((element) => element.remove());
      }
      const { violations } = await new AxeBuilder({ page }).analyze();
      const serious = violations.filter(
        ({ impact }) => impact === "serious" || impact === "critical",
      );
      expect(
        serious.map(({ id, nodes }) => ({ path, id, nodes: nodes.map(({ html }) => html) })),
      ).toEqual([]);
    }
    expect(complaints).toEqual([]);
  });
}

test("The sign-in page has no serious barrier in either theme", async ({ page, baseUrl }) => {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await page.goto(`${baseUrl}/sign-in`);
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations.map(({ id }) => id)).toEqual([]);
  }
});

test("No page is wider than a window of 320 px", async ({
  page,
  api,
  person: _person,
  organization,
  baseUrl,
}) => {
  test.setTimeout(300_000);
  await page.setViewportSize({ width: 320, height: 640 });
  for (const path of await everyPage(api, organization.key)) {
    await page.goto(baseUrl + path);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect({ path, width }).toEqual({ path, width: 320 });
  }
});

test("A list of 10 000 rows is in the first HTML, with at most 200 kB of scripts", async ({
  page,
  context,
  db,
  person: _person,
  organization,
  baseUrl,
}) => {
  await insertTasks(db, organization.id, 10_000);
  const network = await context.newCDPSession(page);
  await network.send("Network.enable");
  const scripts = new Set<string>();
  let bytes = 0;
  network.on("Network.responseReceived", ({ type, requestId }) => {
    if (type === "Script") scripts.add(requestId);
  });
  network.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    if (scripts.has(requestId)) bytes += encodedDataLength;
  });
  const answer = await page.goto(`${baseUrl}/tasks`, { waitUntil: "networkidle" });
  expect(await answer?.text()).toContain("Task 10000");
  expect(scripts.size).toBeGreaterThan(0);
  expect(bytes).toBeLessThanOrEqual(SCRIPT_BYTES_MAX);
});

function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on("console", (message) => {
    const isMissing = message.text().includes("404");
    if (message.type() === "error" && !isMissing) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  return complaints;
}
